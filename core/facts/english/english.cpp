#include "core/facts/english/english.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/english/sentences.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace plimsoll {
namespace {

using Table = std::unordered_map<std::string_view, std::string_view>;

Table tableOf(const std::vector<Sentence>& sentences)
{
    Table table;
    for (const Sentence& sentence : sentences)
        table.emplace(sentence.id, sentence.text);
    return table;
}

Table& spoken()
{
    static Table table = tableOf(englishSentences());
    return table;
}

std::string render(const Message& message, RemedyWords words);
std::string render(const Argument& argument, RemedyWords words);

std::string render(const word::List& list, RemedyWords words)
{
    std::string text;
    for (const Argument& item : list.items)
        text += (text.empty() ? "" : list.clauses ? "; " : ", ") + render(item, words);
    return list.more == 0
               ? text
               : render(say(list.clauses ? "list.more-clauses" : "list.more", std::move(text), list.more), words);
}

std::string render(const Argument& argument, RemedyWords words)
{
    struct Text
    {
        RemedyWords words;
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(std::int64_t count) const { return formatCount(count); }
        std::string operator()(const word::Name& name) const { return "'" + name.text + "'"; }
        std::string operator()(word::Number number) const { return std::to_string(number.value); }
        std::string operator()(word::Size size) const { return formatBytes(size.bytes); }
        std::string operator()(Interval range) const
        {
            return "[" + std::to_string(range.begin) + ", " + std::to_string(range.end) + ")";
        }
        std::string operator()(const Remedy& remedy) const { return words(remedy); }
        std::string operator()(const word::List& list) const { return render(list, words); }
        std::string operator()(const Message& message) const { return render(message, words); }
    };
    return std::visit(Text {words}, argument.value);
}

std::string asClause(std::string sentence, bool small)
{
    if (small && !sentence.empty() && sentence.front() >= 'A' && sentence.front() <= 'Z') sentence.front() += 'a' - 'A';
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

/// What stands behind the number of a placeholder says how its argument is shown.
std::string fill(const Argument& argument, std::string_view how, RemedyWords words)
{
    if (how == "~") return asClause(render(argument, words), true);
    if (how == "-") return asClause(render(argument, words), false);
    const auto* count = std::get_if<std::int64_t>(&argument.value);
    if (how.empty() || !count) return render(argument, words);
    if (how.front() == ' ') return render(argument, words) + std::string(how) + (*count == 1 ? "" : "s");
    const std::size_t bar = std::min(how.find('|'), how.size() - 1);
    return std::string(*count == 1 ? how.substr(1, bar - 1) : how.substr(bar + 1));
}

std::string withoutTemplate(const Message& message, RemedyWords words)
{
    std::string text(message.id);
    for (const Argument& argument : message.arguments)
        text += " " + render(argument, words);
    return text;
}

std::string render(const Message& message, RemedyWords words)
{
    if (message.empty()) return {};
    const auto found = spoken().find(message.id);
    if (found == spoken().end()) return withoutTemplate(message, words);
    std::string text;
    std::string_view rest = found->second;
    for (;;) {
        const std::size_t open = rest.find('{');
        const std::size_t close = rest.find('}', open);
        text += rest.substr(0, open);
        if (close == std::string_view::npos) return text;
        const std::string_view inside = rest.substr(open + 1, close - open - 1);
        std::size_t index = 0;
        const auto number = std::from_chars(inside.data(), inside.data() + inside.size(), index);
        const auto digits = static_cast<std::size_t>(number.ptr - inside.data());
        if (index < message.arguments.size()) text += fill(message.arguments[index], inside.substr(digits), words);
        rest.remove_prefix(close + 1);
    }
}

void collect(const Message& message, std::vector<Remedy>& remedies);

void collect(const Argument& argument, std::vector<Remedy>& remedies)
{
    if (const auto* remedy = std::get_if<Remedy>(&argument.value)) remedies.push_back(*remedy);
    if (const auto* part = std::get_if<Message>(&argument.value)) collect(*part, remedies);
    if (const auto* list = std::get_if<word::List>(&argument.value))
        for (const Argument& item : list->items)
            collect(item, remedies);
}

void collect(const Message& message, std::vector<Remedy>& remedies)
{
    for (const Argument& argument : message.arguments)
        collect(argument, remedies);
}

} // namespace

std::string optionWords(const Remedy& remedy)
{
    switch (remedy.kind) {
    case Remedy::Kind::Policy:
        return remedy.what + "=" + remedy.value;
    case Remedy::Kind::Toggle:
        return "-p " + remedy.what + "=" + remedy.value;
    case Remedy::Kind::Option:
        return "--" + remedy.what + (remedy.value.empty() ? "" : " ") + remedy.value;
    case Remedy::Kind::Command:
        break;
    }
    return remedy.what;
}

std::string english(const Message& message, RemedyWords words)
{
    return render(message, words);
}

std::vector<std::string> english(const std::vector<Message>& messages)
{
    std::vector<std::string> texts;
    for (const Message& message : messages)
        texts.push_back(english(message));
    return texts;
}

std::vector<Remedy> remediesIn(const Message& message)
{
    std::vector<Remedy> remedies;
    collect(message, remedies);
    return remedies;
}

std::vector<Sentence> englishSentences()
{
    std::vector<Sentence> all;
    for (const auto table : {sentences::common(), sentences::findings(), sentences::decisions(), sentences::notes()})
        all.insert(all.end(), table.begin(), table.end());
    return all;
}

void speak(std::vector<Sentence> sentences)
{
    spoken() = tableOf(sentences.empty() ? englishSentences() : sentences);
}

} // namespace plimsoll
