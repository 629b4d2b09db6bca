#include "core/ops/derivatives/derivative_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>

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

class Reader
{
public:
    Result<std::vector<Derivative>> run(std::string_view text)
    {
        while (!text.empty()) {
            ++m_line;
            const std::size_t end = text.find('\n');
            const std::string_view line = text.substr(0, end);
            PLIMSOLL_TRY(readLine(trimmed(line)));
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        return std::move(m_derivatives);
    }

private:
    Status readLine(std::string_view line)
    {
        if (line.empty() || line.front() == '#') return {};
        if (line.starts_with("op ")) return readHead(trimmed(line.substr(3)));
        if (m_derivatives.empty()) return error("a line 'op NAME(arguments)' was expected");
        if (line == "joint") {
            m_derivatives.back().joint = true;
            return {};
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) return error("'variable: formula' was expected");
        const std::string_view name = trimmed(line.substr(0, colon));
        const std::string_view rest = trimmed(line.substr(colon + 1));
        return name.starts_with("hint ") ? readHint(trimmed(name.substr(5)), rest) : readEntry(name, rest);
    }

    /// NAME(arguments) [-> outputs] [when …]… [= names]
    Status readHead(std::string_view text)
    {
        Derivative derivative;
        const std::size_t open = text.find('(');
        const std::size_t close = text.find(')');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open)
            return error("'NAME(arguments)' was expected");
        PLIMSOLL_TRY(readName(trimmed(text.substr(0, open)), derivative));
        for (const std::string_view part : split(text.substr(open + 1, close - open - 1), ','))
            PLIMSOLL_TRY(readArgument(part, derivative));
        derivative.outputs = {"result"};
        std::string_view rest = trimmed(text.substr(close + 1));
        if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
            for (const std::string_view name : split(rest.substr(equals + 1), ' '))
                derivative.names.emplace_back(name);
            rest = trimmed(rest.substr(0, equals));
        }
        PLIMSOLL_TRY(readOutputs(rest, derivative));
        PLIMSOLL_TRY(readConditions(rest, derivative));
        m_derivatives.push_back(std::move(derivative));
        return {};
    }

    Status readName(std::string_view text, Derivative& derivative) const
    {
        const std::size_t colons = text.rfind("::");
        const std::string_view op = colons == std::string_view::npos ? text : text.substr(colons + 2);
        if (!isName(op)) return error("'" + std::string(text) + "' is no name of an operator");
        derivative.op = op;
        if (colons != std::string_view::npos) derivative.domain = text.substr(0, colons);
        return {};
    }

    Status readArgument(std::string_view text, Derivative& derivative) const
    {
        DerivativeArgument argument;
        if (text.ends_with("...")) {
            argument.list = true;
            text.remove_suffix(3);
        } else if (text.ends_with("?") || text.ends_with("#")) {
            (text.back() == '?' ? argument.optional : argument.number) = true;
            text.remove_suffix(1);
        }
        if (!isName(text) || isGradientName(text) || text == "result")
            return error("'" + std::string(text) + "' cannot name an argument");
        if (derivative.argumentNamed(text)) return error("two arguments are called '" + std::string(text) + "'");
        if (!derivative.arguments.empty() && derivative.arguments.back().list)
            return error("a list must be the last argument");
        argument.name = text;
        derivative.arguments.push_back(std::move(argument));
        return {};
    }

    /// Takes "-> outputs" from the front of \p text.
    Status readOutputs(std::string_view& text, Derivative& derivative) const
    {
        if (!text.starts_with("->")) return {};
        const std::size_t when = text.find(" when ");
        const std::string_view list = text.substr(2, when == std::string_view::npos ? when : when - 2);
        text.remove_prefix(when == std::string_view::npos ? text.size() : when + 1);
        derivative.outputs.clear();
        for (const std::string_view name : split(list, ',')) {
            if (!isName(name) || isGradientName(name) || derivative.argumentNamed(name) || derivative.outputNamed(name))
                return error("'" + std::string(name) + "' cannot name an output");
            derivative.outputs.emplace_back(name);
        }
        return derivative.outputs.empty() ? error("the name of an output was expected") : Status();
    }

    Status readConditions(std::string_view text, Derivative& derivative) const
    {
        const std::vector<std::string_view> words = split(text, ' ');
        for (std::size_t i = 0; i < words.size();) {
            if (words[i] != "when") return error("'when', '=' or the end of the line was expected");
            std::size_t end = i + 1;
            while (end < words.size() && words[end] != "when")
                ++end;
            const std::vector<std::string_view> condition(words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                                          words.begin() + static_cast<std::ptrdiff_t>(end));
            PLIMSOLL_TRY(readCondition(condition, derivative));
            i = end;
        }
        return {};
    }

    Status readCondition(const std::vector<std::string_view>& words, Derivative& derivative) const
    {
        using Kind = DerivativeCondition::Kind;
        DerivativeCondition condition;
        const std::string_view kind = words.empty() ? std::string_view() : words[0];
        const bool named = words.size() == 2 && derivative.argumentNamed(words[1]).has_value();
        if (kind == "random" && words.size() == 1) {
            condition.kind = Kind::Random;
        } else if (kind == "number" && named) {
            condition = {Kind::Number, std::string(words[1]), {}, {}};
        } else if (kind == "absent" && named) {
            condition = {Kind::Absent, std::string(words[1]), {}, {}};
        } else if (kind == "attribute" && words.size() == 3) {
            condition = {Kind::Given, std::string(words[1]), std::string(words[2]), {}};
        } else if (kind == "ranks" && words.size() > 1) {
            condition.kind = Kind::Ranks;
            for (std::size_t i = 1; i < words.size(); ++i) {
                std::size_t rank = 0;
                const auto [at, code] = std::from_chars(words[i].data(), words[i].data() + words[i].size(), rank);
                if (code != std::errc {} || at != words[i].data() + words[i].size())
                    return error("'" + std::string(words[i]) + "' is no rank");
                condition.ranks.push_back(rank);
            }
        } else {
            return error("a condition is 'random', 'number ARGUMENT', 'absent ARGUMENT', 'attribute NAME VALUE' or "
                         "'ranks SIZE …'");
        }
        derivative.conditions.push_back(std::move(condition));
        return {};
    }

    Status readEntry(std::string_view name, std::string_view text)
    {
        Derivative& derivative = m_derivatives.back();
        const auto variable = derivative.argumentNamed(name);
        if (!variable) return error("'" + std::string(name) + "' is no argument of " + derivative.op);
        if (derivative.arguments[*variable].number)
            return error("'" + std::string(name) + "' is a setting (#) and has no gradient");
        if (derivative.entryOf(*variable)) return error("'" + std::string(name) + "' has two formulas");
        auto formula = parseFormula(text);
        if (!formula.ok()) return error(formula.error().message);
        for (const Mention& mention : mentionsOf(formula.value())) {
            const auto argument = derivative.argumentNamed(mention.name);
            if (argument && derivative.arguments[*argument].list)
                return error("'" + mention.name + "' is a list, which no formula can read");
            const bool known = isGradientName(mention.name) || argument || derivative.outputNamed(mention.name);
            if (!known) return error("'" + mention.name + "' is neither an argument nor an output of " + derivative.op);
        }
        derivative.entries.push_back({*variable, std::move(formula).value()});
        return {};
    }

    Status readHint(std::string_view name, std::string_view text)
    {
        Derivative& derivative = m_derivatives.back();
        const auto argument = derivative.argumentNamed(name);
        if (!argument || !derivative.joint) return error("a hint names an argument of a joint formula");
        Derivative::Hint hint {*argument, {}};
        for (const std::string_view word : split(text, ' ')) {
            const auto variable = derivative.argumentNamed(word);
            if (!variable || !derivative.entryOf(*variable))
                return error("'" + std::string(word) + "' has no gradient that the hint could wait for");
            hint.neededFor.push_back(*variable);
        }
        derivative.hints.push_back(std::move(hint));
        return {};
    }

    [[nodiscard]] Error error(Message why) const
    {
        return {ErrorCode::BadInput, say("derivatives.line", std::move(why)), "line " + std::to_string(m_line), {}};
    }

    std::vector<Derivative> m_derivatives;
    int m_line = 0;
};

} // namespace

Result<std::vector<Derivative>> readDerivatives(std::string_view text)
{
    return Reader().run(text);
}

} // namespace plimsoll
