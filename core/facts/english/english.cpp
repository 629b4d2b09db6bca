#include "core/facts/english/english.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/english/sentences.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace plimsoll {
namespace {

/// An argument and how it is shown, to {fmt}.
struct Shown
{
    const Argument& argument;
    RemedyWords words;
};
std::string fill(const Argument& argument, std::string_view how, RemedyWords words);

} // namespace
} // namespace plimsoll

/// What stands behind the colon of a placeholder says how its argument is shown.
template <>
struct fmt::formatter<plimsoll::Shown>
{
    std::string_view how;

    constexpr auto parse(format_parse_context& context)
    {
        const auto end = std::find(context.begin(), context.end(), '}');
        how = {context.begin(), end};
        return end;
    }
    auto format(const plimsoll::Shown& shown, format_context& context) const
    {
        return fmt::format_to(context.out(), "{}", plimsoll::fill(shown.argument, how, shown.words));
    }
};

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

struct Language
{
    Table sentences; ///< By id.
    Table words;     ///< By the English ones.
};

Language& language()
{
    static Language now {tableOf(englishSentences()), {}};
    return now;
}

std::string render(const Message& message, RemedyWords words);
std::string render(const Argument& argument, RemedyWords words);

std::string render(const word::List& list, RemedyWords words)
{
    using Joint = word::List::Joint;
    std::string text;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        std::string item = render(list.items[i], words);
        const bool last = (list.joint == Joint::And || list.joint == Joint::Or) && i > 0 && i + 1 == list.items.size();
        if (last)
            text = render(say(list.joint == Joint::And ? "and" : "or", std::move(text), std::move(item)), words);
        else
            text += (i == 0 ? "" : list.joint == Joint::Semicolon ? "; " : ", ") + item;
    }
    if (list.more == 0) return text;
    const bool clauses = list.joint == Joint::Semicolon;
    return render(say(clauses ? "list.more-clauses" : "list.more", std::move(text), list.more), words);
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

bool startsWithCapital(std::string_view text)
{
    return !text.empty() && text.front() >= 'A' && text.front() <= 'Z';
}

/// What begins with an abbreviation keeps its capitals.
std::string asClause(std::string sentence, bool small)
{
    const std::string_view text = sentence;
    if (small && startsWithCapital(text) && !startsWithCapital(text.substr(1))) sentence.front() += 'a' - 'A';
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

std::string fill(const Argument& argument, std::string_view how, RemedyWords words)
{
    std::string text = render(argument, words);
    if (how.empty()) return text;
    if (how == "~") return asClause(std::move(text), true);
    if (how == "-") return asClause(std::move(text), false);
    const auto* count = std::get_if<std::int64_t>(&argument.value);
    const auto* number = std::get_if<word::Number>(&argument.value);
    if (!count && !number) return text;
    const bool one = (count ? *count : number->value) == 1;
    const bool alone = how.front() == '?';
    if (alone) how.remove_prefix(1);
    const std::size_t bar = how.find('|');
    std::string noun(how.substr(0, bar));
    if (!one) noun = bar == std::string_view::npos ? noun + "s" : how.substr(bar + 1);
    return alone ? noun : text + " " + noun;
}

/// Without its template, or with one that names arguments it does not have, a message shows its id and arguments.
std::string render(const Message& message, RemedyWords words)
{
    if (message.empty()) return {};
    std::string plain(message.id);
    fmt::dynamic_format_arg_store<fmt::format_context> arguments;
    for (const Argument& argument : message.arguments) {
        plain += " " + render(argument, words);
        arguments.push_back(Shown {argument, words});
    }
    const Table& sentences = language().sentences;
    const auto found = sentences.find(message.id);
    if (found == sentences.end()) return plain;
    try {
        return fmt::vformat(found->second, arguments);
    } catch (const fmt::format_error&) {
        return plain;
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

std::string english(const Message& message)
{
    return render(message, optionWords);
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

std::string describe(const Error& error, RemedyWords words)
{
    return english(toMessage(error), words);
}

std::vector<Remedy> remediesIn(const Message& message)
{
    std::vector<Remedy> remedies;
    collect(message, remedies);
    return remedies;
}

std::string_view knownId(std::string_view id)
{
    static const Table table = tableOf(englishSentences());
    const auto found = table.find(id);
    return found == table.end() ? std::string_view() : found->first;
}

std::vector<Sentence> englishSentences()
{
    std::vector<Sentence> all;
    for (const auto table :
         {sentences::common(), sentences::findings(), sentences::decisions(), sentences::notes(), sentences::plans(),
          sentences::runs(), sentences::errorsOfApp(), sentences::errorsOfCore(), sentences::errorsOfFormats(),
          sentences::errorsOfKernels(), sentences::errorsOfLower(), sentences::errorsOfTorch()})
        all.insert(all.end(), table.begin(), table.end());
    return all;
}

std::string_view spoken(std::string_view word)
{
    const Table& words = language().words;
    const auto found = words.find(word);
    return found == words.end() ? word : found->second;
}

void speak(const std::vector<Sentence>& sentences, const std::vector<Sentence>& words)
{
    language() = {tableOf(sentences.empty() ? englishSentences() : sentences), tableOf(words)};
    const std::string number = english(say("number"));
    const std::size_t first = number.find('1');
    const std::size_t last = number.rfind('5');
    if (first < last && last != std::string::npos)
        setNumberMarks({.decimal = number[last - 1], .group = number[first + 1]});
}

} // namespace plimsoll
