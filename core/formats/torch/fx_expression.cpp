#include "core/formats/torch/fx_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace plimsoll::fx {
namespace {

using Kind = Expression::Kind;

constexpr int MostNested = 100; ///< Brackets and operators in one another.

struct Sign
{
    std::string_view text;
    int strength;
};

/// Longer ones first where one begins with another.
constexpr std::array Signs = {
    Sign {"==", 1}, Sign {"!=", 1}, Sign {"<=", 1}, Sign {">=", 1}, Sign {"<<", 5}, Sign {">>", 5}, Sign {"<", 1},
    Sign {">", 1},  Sign {"|", 2},  Sign {"^", 3},  Sign {"&", 4},  Sign {"+", 6},  Sign {"-", 6},  Sign {"**", 9},
    Sign {"//", 7}, Sign {"*", 7},  Sign {"/", 7},  Sign {"%", 7},  Sign {"@", 7},
};

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

Expression named(std::string word)
{
    if (word == "None") return makeExpression(Kind::None);
    if (word == "True" || word == "False") {
        Expression truth = makeInteger(word == "True" ? 1 : 0);
        truth.kind = Kind::Boolean;
        return truth;
    }
    Expression name = makeExpression(Kind::Name, std::move(word));
    if (name.text != "inf" && name.text != "nan") return name;
    Expression real = makeExpression(Kind::Real);
    real.real = name.text == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    return real;
}

/// -3 is a number, not an operation.
Expression negated(Expression operand)
{
    if (operand.is(Kind::Integer) && operand.integer != std::numeric_limits<std::int64_t>::min()) {
        operand.integer = -operand.integer;
        return operand;
    }
    if (operand.is(Kind::Real)) {
        operand.real = -operand.real;
        return operand;
    }
    return makeExpression(Kind::Operation, "-", std::move(operand));
}

std::string renderList(const std::vector<Expression>& items, std::size_t from)
{
    std::string text;
    for (std::size_t i = from; i < items.size(); ++i)
        text += (i > from ? ", " : "") + render(items[i]);
    return text;
}

} // namespace

Expression makeInteger(std::int64_t number)
{
    Expression made = makeExpression(Kind::Integer);
    made.integer = number;
    return made;
}

std::string render(const Expression& expression)
{
    const std::vector<Expression>& items = expression.items;
    switch (expression.kind) {
    case Kind::None:
        return "None";
    case Kind::Boolean:
        return expression.integer != 0 ? "True" : "False";
    case Kind::Integer:
        return std::to_string(expression.integer);
    case Kind::Real: {
        std::array<char, 40> digits {};
        const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), expression.real);
        return error == std::errc() ? std::string(digits.data(), end) : "?";
    }
    case Kind::Text:
        return "'" + expression.text + "'";
    case Kind::Name:
        return expression.text;
    case Kind::List:
        return "[" + renderList(items, 0) + "]";
    case Kind::Dict:
        return "{" + renderList(items, 0) + "}";
    case Kind::Call: {
        const bool method = expression.text.starts_with('.') && !items.empty();
        std::string text = (method ? render(items.front()) : std::string()) + expression.text + "(" +
                           renderList(items, method ? 1 : 0);
        for (const Keyword& keyword : expression.keywords)
            text += (text.ends_with('(') ? "" : ", ") + keyword.name + " = " + render(keyword.value);
        return text + ")";
    }
    case Kind::Index:
        return render(items[0]) + "[" + renderList(items, 1) + "]";
    case Kind::Slice:
        return "slice(" + renderList(items, 0) + ")";
    case Kind::Operation:
        break;
    }
    if (items.size() == 1) return expression.text + render(items[0]);
    return render(items[0]) + " " + expression.text + " " + render(items[1]);
}

void Scanner::skip()
{
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == '#') {
            const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
            std::string_view comment = m_text.substr(m_at + 1, end - m_at - 1);
            comment.remove_prefix(std::min(comment.find_first_not_of(' '), comment.size()));
            m_comment = comment;
            m_at = end;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\') {
            ++m_at;
        } else {
            return;
        }
    }
}

bool Scanner::atEnd()
{
    skip();
    return m_at >= m_text.size();
}

char Scanner::peek()
{
    return atEnd() ? '\0' : m_text[m_at];
}

std::size_t Scanner::line()
{
    skip();
    const auto end = m_text.begin() + static_cast<std::ptrdiff_t>(std::min(m_at, m_text.size()));
    return m_line + static_cast<std::size_t>(std::count(m_text.begin(), end, '\n'));
}

bool Scanner::take(std::string_view sign)
{
    skip();
    if (!m_text.substr(m_at).starts_with(sign)) return false;
    m_at += sign.size();
    return true;
}

bool Scanner::takeWord(std::string_view word)
{
    const std::size_t before = (skip(), m_at);
    if (identifier() == word) return true;
    m_at = before;
    return false;
}

std::string Scanner::identifier()
{
    skip();
    std::size_t end = m_at;
    while (end < m_text.size() && (isLetter(m_text[end]) || (end > m_at && isDigit(m_text[end]))))
        ++end;
    std::string word(m_text.substr(m_at, end - m_at));
    m_at = end;
    return word;
}

Result<std::string> Scanner::annotation(std::string_view ends)
{
    if (const char c = peek(); c == '"' || c == '\'') {
        PLIMSOLL_ASSIGN(text, quoted());
        return text.text;
    }
    const std::size_t begin = m_at;
    int open = 0;
    for (; m_at < m_text.size(); ++m_at) {
        const char c = m_text[m_at];
        if (c == '#' || (open == 0 && ends.find(c) != std::string_view::npos)) break;
        if (c == '[' || c == '(') ++open;
        if (c == ']' || c == ')') --open;
    }
    std::string_view text = m_text.substr(begin, m_at - begin);
    text.remove_suffix(text.size() - std::min(text.find_last_not_of(" \t\r\n") + 1, text.size()));
    return std::string(text);
}

std::string Scanner::takeComment()
{
    skip();
    return std::exchange(m_comment, {});
}

Error Scanner::error(Message message)
{
    return badInput(std::move(message), "line " + std::to_string(line()));
}

Result<Expression> Scanner::expression()
{
    return operation(0);
}

Result<Expression> Scanner::expressions()
{
    PLIMSOLL_ASSIGN(first, expression());
    if (peek() != ',') return first;
    Expression all = makeExpression(Kind::List, {}, std::move(first));
    while (take(",") && !atEnd() && peek() != ';') {
        PLIMSOLL_SET(all.items.emplace_back(), expression());
    }
    return all;
}

Result<Expression> Scanner::operation(int strength)
{
    if (++m_depth > MostNested) return error(say("fx.too-deep"));
    PLIMSOLL_ASSIGN(left, operand());
    while (true) {
        skip();
        const std::string_view rest = m_text.substr(m_at);
        const auto* sign = std::find_if(Signs.begin(), Signs.end(),
                                        [&](const Sign& candidate) { return rest.starts_with(candidate.text); });
        const bool assigns =
            sign != Signs.end() && rest.substr(sign->text.size()).starts_with('=') && sign->strength > 1;
        if (sign == Signs.end() || assigns || sign->strength <= strength) break;
        m_at += sign->text.size();
        PLIMSOLL_ASSIGN(right, operation(sign->strength));
        left = makeExpression(Kind::Operation, std::string(sign->text), std::move(left), std::move(right));
    }
    --m_depth;
    return left;
}

/// A primary with everything that is attached to it: attributes, arguments, subscripts.
Result<Expression> Scanner::operand()
{
    if (take("-")) {
        PLIMSOLL_ASSIGN(inner, operation(8));
        return negated(std::move(inner));
    }
    if (take("~") || takeWord("not")) {
        PLIMSOLL_ASSIGN(inner, operation(8));
        return makeExpression(Kind::Operation, "~", std::move(inner));
    }
    PLIMSOLL_ASSIGN(whole, primary());
    while (true) {
        if (m_at < m_text.size() && m_text[m_at] == '.') {
            ++m_at;
            const std::string word = identifier();
            if (word.empty()) return error(say("fx.no-attribute-name"));
            if (whole.is(Kind::Name)) {
                whole.text += "." + word;
                continue;
            }
            whole = makeExpression(Kind::Call, "." + word, std::move(whole));
            if (take("(")) PLIMSOLL_TRY(arguments(whole));
        } else if (whole.is(Kind::Name) && m_at < m_text.size() && m_text[m_at] == '(') {
            ++m_at;
            whole.kind = Kind::Call;
            PLIMSOLL_TRY(arguments(whole));
        } else if (m_at < m_text.size() && m_text[m_at] == '[') {
            ++m_at;
            PLIMSOLL_ASSIGN(index, subscript());
            whole = makeExpression(Kind::Index, {}, std::move(whole), std::move(index));
        } else {
            return whole;
        }
    }
}

Result<Expression> Scanner::primary()
{
    const char c = peek();
    if (take("[")) return list(']');
    if (take("(")) return list(')');
    if (take("{")) return dict();
    if (c == '"' || c == '\'') return quoted();
    if (take("...")) return makeExpression(Kind::Text, "...");
    if (isDigit(c) || c == '.') return number();
    std::string word = identifier();
    if (!word.empty()) return named(std::move(word));
    if (c == '\0') return error(say("fx.statement-cut"));
    return error(say("fx.strange-character", word::Name {std::string(1, c)}));
}

Result<Expression> Scanner::number()
{
    const std::string_view rest = m_text.substr(m_at);
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789_."), rest.size());
    std::size_t end = digits;
    if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
        const std::size_t sign = end + 1 < rest.size() && (rest[end + 1] == '-' || rest[end + 1] == '+') ? 2 : 1;
        end = std::min(rest.find_first_not_of("0123456789", end + sign), rest.size());
    }
    const std::string_view text = rest.substr(0, end);
    Expression made = makeExpression(Kind::Integer);
    const char* last = text.data() + text.size();
    const auto whole = std::from_chars(text.data(), last, made.integer);
    if (whole.ec != std::errc() || whole.ptr != last) {
        made.kind = Kind::Real;
        const auto real = std::from_chars(text.data(), last, made.real);
        if (real.ec != std::errc() || real.ptr != last)
            return error(say("fx.no-number", word::Name {std::string(text)}));
    }
    m_at += end;
    return made;
}

Result<Expression> Scanner::quoted()
{
    const char quote = m_text[m_at];
    Expression text = makeExpression(Kind::Text);
    std::size_t i = m_at + 1;
    while (i < m_text.size() && m_text[i] != quote && m_text[i] != '\n') {
        if (m_text[i] == '\\' && i + 1 < m_text.size()) ++i;
        text.text += m_text[i++];
    }
    if (i >= m_text.size() || m_text[i] != quote) return error(say("fx.quotes-open"));
    m_at = i + 1;
    return text;
}

/// (x) is x, (x,) is a list.
Result<Expression> Scanner::list(char close)
{
    const std::string end(1, close);
    Expression all = makeExpression(Kind::List);
    bool comma = close == ']';
    static_cast<void>(takeComment()); // It stands behind something else.
    while (!take(end)) {
        PLIMSOLL_SET(all.items.emplace_back(), expression());
        if (take(","))
            comma = true;
        else if (peek() != close)
            return error(say("fx.list-not-closed", word::Name {end}));
        all.items.back().comment = takeComment();
    }
    if (all.items.size() == 1 && !comma) return std::move(all.items.front());
    return all;
}

Result<Expression> Scanner::dict()
{
    Expression all = makeExpression(Kind::Dict);
    while (!take("}")) {
        PLIMSOLL_SET(all.items.emplace_back(), expression());
        if (!take(":")) return error(say("fx.no-colon"));
        PLIMSOLL_SET(all.items.emplace_back(), expression());
        if (!take(",") && peek() != '}') return error(say("fx.dict-not-closed"));
    }
    return all;
}

/// What stands between brackets: an index, a slice, or several of them.
Result<Expression> Scanner::subscript()
{
    Expression all = makeExpression(Kind::List);
    bool comma = false;
    while (!take("]")) {
        Expression slice = makeExpression(Kind::Slice);
        slice.items.resize(3);
        std::size_t part = 0;
        while (peek() != ',' && peek() != ']') {
            if (take(":")) {
                if (++part > 2) return error(say("fx.slice-parts"));
                continue;
            }
            PLIMSOLL_SET(slice.items[part], expression());
        }
        all.items.push_back(part > 0 ? std::move(slice) : std::move(slice.items[0]));
        if (take(",")) comma = true;
    }
    if (all.items.empty()) return error(say("fx.no-subscript"));
    if (all.items.size() == 1 && !comma) return std::move(all.items.front());
    return all;
}

Status Scanner::arguments(Expression& call)
{
    while (!take(")")) {
        const std::size_t before = m_at;
        std::string name = identifier();
        const bool keyword = !name.empty() && peek() == '=' && !m_text.substr(m_at).starts_with("==");
        if (keyword)
            static_cast<void>(take("="));
        else
            m_at = before;
        Expression& value =
            keyword ? call.keywords.emplace_back(Keyword {std::move(name), {}}).value : call.items.emplace_back();
        PLIMSOLL_SET(value, expression());
        if (!take(",") && peek() != ')') return error(say("fx.arguments-not-closed"));
    }
    return {};
}

} // namespace plimsoll::fx
