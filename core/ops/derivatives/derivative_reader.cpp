#include "core/ops/derivatives/derivative_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <span>

namespace plimsoll {
namespace {

constexpr std::string_view Blanks = " \t\r";

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(Blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(Blanks) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty() || separator == ',')
            parts.push_back(part);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return parts;
}

bool isName(std::string_view text)
{
    const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
           std::ranges::all_of(text, letter);
}

Error wrong(Message why)
{
    return {ErrorCode::BadInput, std::move(why), {}, {}};
}

word::Name nameOf(std::string_view text)
{
    return {std::string(text)};
}

/// [DOMAIN::]NAME
Status readName(std::string_view text, Derivative& derivative)
{
    const std::size_t colons = text.rfind("::");
    const std::string_view op = colons == std::string_view::npos ? text : text.substr(colons + 2);
    if (!isName(op)) return wrong(say("derivatives.no-operator", nameOf(text)));
    derivative.op = op;
    if (colons != std::string_view::npos) derivative.domain = text.substr(0, colons);
    return {};
}

/// NAME, NAME? (optional), NAME# (a setting) or NAME... (a list); separated by commas.
Status readArguments(std::string_view list, Derivative& derivative)
{
    for (std::string_view text : split(list, ',')) {
        DerivativeArgument argument;
        if (text.ends_with("...")) {
            argument.list = true;
            text.remove_suffix(3);
        } else if (text.ends_with("?") || text.ends_with("#")) {
            (text.back() == '?' ? argument.optional : argument.number) = true;
            text.remove_suffix(1);
        }
        if (!isName(text) || isGradientName(text) || text == "result")
            return wrong(say("derivatives.no-argument", nameOf(text)));
        if (derivative.argumentNamed(text)) return wrong(say("derivatives.argument-twice", nameOf(text)));
        if (!derivative.arguments.empty() && derivative.arguments.back().list)
            return wrong(say("derivatives.list-last"));
        argument.name = text;
        derivative.arguments.push_back(std::move(argument));
    }
    return {};
}

/// Takes "-> outputs" from the front of \p text.
Status readOutputs(std::string_view& text, Derivative& derivative)
{
    derivative.outputs = {"result"};
    if (!text.starts_with("->")) return {};
    const std::size_t when = text.find(" when ");
    const std::string_view list = text.substr(2, when == std::string_view::npos ? when : when - 2);
    text.remove_prefix(when == std::string_view::npos ? text.size() : when + 1);
    derivative.outputs.clear();
    for (const std::string_view name : split(list, ',')) {
        if (!isName(name) || isGradientName(name) || derivative.argumentNamed(name) || derivative.outputNamed(name))
            return wrong(say("derivatives.no-output", nameOf(name)));
        derivative.outputs.emplace_back(name);
    }
    return derivative.outputs.empty() ? wrong(say("derivatives.output-expected")) : Status();
}

/// The words of one condition, without "when".
Status readCondition(std::span<const std::string_view> words, Derivative& derivative)
{
    using Kind = DerivativeCondition::Kind;
    DerivativeCondition condition;
    const std::string_view kind = words.empty() ? std::string_view() : words[0];
    const bool named = words.size() == 2 && derivative.argumentNamed(words[1]).has_value();
    if (kind == "random" && words.size() == 1) {
        condition.kind = Kind::Random;
    } else if ((kind == "number" || kind == "absent") && named) {
        condition = {kind == "number" ? Kind::Number : Kind::Absent, std::string(words[1]), {}, {}};
    } else if (kind == "attribute" && words.size() == 3) {
        condition = {Kind::Given, std::string(words[1]), std::string(words[2]), {}};
    } else if (kind == "ranks" && words.size() > 1) {
        condition.kind = Kind::Ranks;
        for (const std::string_view word : words.subspan(1)) {
            std::size_t rank = 0;
            const auto [at, code] = std::from_chars(word.data(), word.data() + word.size(), rank);
            if (code != std::errc {} || at != word.data() + word.size())
                return wrong(say("derivatives.no-rank", nameOf(word)));
            condition.ranks.push_back(rank);
        }
    } else {
        return wrong(say("derivatives.condition"));
    }
    derivative.conditions.push_back(std::move(condition));
    return {};
}

/// NAME(arguments) [-> outputs] [when …]… [= names]
Result<Derivative> readHead(std::string_view text)
{
    Derivative derivative;
    const std::size_t open = text.find('(');
    const std::size_t close = text.find(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return wrong(say("derivatives.head-expected"));
    PLIMSOLL_TRY(readName(trimmed(text.substr(0, open)), derivative));
    PLIMSOLL_TRY(readArguments(text.substr(open + 1, close - open - 1), derivative));
    std::string_view rest = trimmed(text.substr(close + 1));
    if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
        for (const std::string_view name : split(rest.substr(equals + 1), ' '))
            derivative.names.emplace_back(name);
        rest = trimmed(rest.substr(0, equals));
    }
    PLIMSOLL_TRY(readOutputs(rest, derivative));
    const std::vector<std::string_view> words = split(rest, ' ');
    for (auto word = words.begin(); word != words.end();) {
        if (*word != "when") return wrong(say("derivatives.end-expected"));
        const auto end = std::find(word + 1, words.end(), "when");
        PLIMSOLL_TRY(readCondition({word + 1, end}, derivative));
        word = end;
    }
    return derivative;
}

/// variable: formula
Status readEntry(std::string_view name, std::string_view text, Derivative& derivative)
{
    const auto variable = derivative.argumentNamed(name);
    if (!variable) return wrong(say("derivatives.argument-unknown", nameOf(name), derivative.op));
    if (derivative.arguments[*variable].number) return wrong(say("derivatives.setting", nameOf(name)));
    if (derivative.entryOf(*variable)) return wrong(say("derivatives.formula-twice", nameOf(name)));
    auto formula = parseFormula(text);
    if (!formula.ok()) return wrong(formula.error().message);
    for (const Mention& mention : mentionsOf(formula.value())) {
        const auto argument = derivative.argumentNamed(mention.name);
        if (argument && derivative.arguments[*argument].list)
            return wrong(say("derivatives.list-read", nameOf(mention.name)));
        const bool known = isGradientName(mention.name) || argument || derivative.outputNamed(mention.name);
        if (!known) return wrong(say("derivatives.unknown-name", nameOf(mention.name), derivative.op));
    }
    derivative.entries.push_back({*variable, std::move(formula).value()});
    return {};
}

/// hint argument: variables
Status readHint(std::string_view name, std::string_view text, Derivative& derivative)
{
    const auto argument = derivative.argumentNamed(name);
    if (!argument || !derivative.joint) return wrong(say("derivatives.hint"));
    Derivative::Hint hint {*argument, {}};
    for (const std::string_view word : split(text, ' ')) {
        const auto variable = derivative.argumentNamed(word);
        if (!variable || !derivative.entryOf(*variable)) return wrong(say("derivatives.hint-waits", nameOf(word)));
        hint.neededFor.push_back(*variable);
    }
    derivative.hints.push_back(std::move(hint));
    return {};
}

Status readLine(std::string_view line, std::vector<Derivative>& derivatives)
{
    if (line.empty() || line.front() == '#') return {};
    if (line.starts_with("op ")) {
        PLIMSOLL_ASSIGN(derivative, readHead(trimmed(line.substr(3))));
        derivatives.push_back(std::move(derivative));
        return {};
    }
    if (derivatives.empty()) return wrong(say("derivatives.op-expected"));
    Derivative& derivative = derivatives.back();
    if (line == "joint") {
        derivative.joint = true;
        return {};
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return wrong(say("derivatives.formula-expected"));
    const std::string_view name = trimmed(line.substr(0, colon));
    const std::string_view rest = trimmed(line.substr(colon + 1));
    return name.starts_with("hint ") ? readHint(trimmed(name.substr(5)), rest, derivative)
                                     : readEntry(name, rest, derivative);
}

} // namespace

Result<std::vector<Derivative>> readDerivatives(std::string_view text)
{
    std::vector<Derivative> derivatives;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        if (Status read = readLine(trimmed(text.substr(0, end)), derivatives); !read.ok())
            return Error {
                ErrorCode::BadInput, say("derivatives.line", read.error().message), "line " + std::to_string(line), {}};
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return derivatives;
}

} // namespace plimsoll
