#include "core/graph/dim_expression.h"

#include <algorithm>
#include <charconv>

namespace plimsoll {
namespace {

constexpr std::size_t Longest = 500;
constexpr int Deepest = 50;

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::optional<std::int64_t> divided(std::int64_t a, std::int64_t b)
{
    if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
    const bool down = a % b != 0 && (a < 0) != (b < 0);
    return a / b - (down ? 1 : 0);
}

std::optional<std::int64_t> applied(char kind, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (kind == '/') return divided(a, b);
    const bool overflow = kind == '+'   ? __builtin_add_overflow(a, b, &result)
                          : kind == '-' ? __builtin_sub_overflow(a, b, &result)
                                        : __builtin_mul_overflow(a, b, &result);
    return overflow ? std::nullopt : std::optional(result);
}

} // namespace

/// sum: product (('+'|'-') product)*    product: atom (('*'|'//') atom)*    atom: number, name, '(' sum ')', '-' atom
class DimExpressionParser
{
public:
    explicit DimExpressionParser(std::string_view text) : m_text(text) {}

    std::optional<DimExpression> run()
    {
        const bool whole = m_text.size() <= Longest && sum() && (skipBlanks(), m_text.empty());
        if (!whole || m_out.m_names.empty() || m_out.m_terms.size() < 2) return std::nullopt;
        return std::move(m_out);
    }

private:
    void skipBlanks()
    {
        while (m_text.starts_with(' '))
            m_text.remove_prefix(1);
    }

    bool take(std::string_view word)
    {
        skipBlanks();
        if (!m_text.starts_with(word)) return false;
        m_text.remove_prefix(word.size());
        return true;
    }

    bool sum()
    {
        if (!product()) return false;
        while (true) {
            const char kind = take("+") ? '+' : take("-") ? '-' : '\0';
            if (kind == '\0') return true;
            if (!product()) return false;
            m_out.m_terms.push_back({kind, 0});
        }
    }

    bool product()
    {
        if (!atom()) return false;
        while (true) {
            if (m_text.starts_with("**")) return false;
            const char kind = take("*") ? '*' : take("//") ? '/' : '\0';
            if (kind == '\0') return true;
            if (m_text.starts_with('*') || !atom()) return false;
            m_out.m_terms.push_back({kind, 0});
        }
    }

    bool atom()
    {
        if (++m_depth > Deepest) return false;
        skipBlanks();
        bool fine = false;
        if (take("(")) {
            fine = sum() && take(")");
        } else if (take("-")) {
            m_out.m_terms.push_back({'n', 0});
            fine = atom();
            m_out.m_terms.push_back({'-', 0});
        } else {
            fine = !m_text.empty() && (isDigit(m_text.front()) ? number() : name());
        }
        --m_depth;
        return fine;
    }

    bool number()
    {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), number);
        if (error != std::errc()) return false;
        m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
        m_out.m_terms.push_back({'n', number});
        return true;
    }

    bool name()
    {
        std::size_t end = 0;
        const auto inside = [&](std::size_t i) {
            if (isLetter(m_text[i]) || (i > 0 && isDigit(m_text[i]))) return true;
            const bool joins = m_text[i] == '-' || m_text[i] == '.';
            return joins && i > 0 && i + 1 < m_text.size() && m_text[i - 1] != ' ' &&
                   (isLetter(m_text[i + 1]) || (m_text[i] == '.' && isDigit(m_text[i + 1])));
        };
        while (end < m_text.size() && inside(end))
            ++end;
        if (end == 0) return false;
        const std::string name(m_text.substr(0, end));
        m_text.remove_prefix(end);
        auto& names = m_out.m_names;
        const auto known = std::find(names.begin(), names.end(), name);
        m_out.m_terms.push_back({'v', known - names.begin()});
        if (known == names.end()) names.push_back(name);
        return true;
    }

    std::string_view m_text;
    DimExpression m_out;
    int m_depth = 0;
};

std::optional<DimExpression> DimExpression::parse(std::string_view text)
{
    return DimExpressionParser(text).run();
}

std::optional<std::int64_t> DimExpression::evaluate(const std::map<std::string, std::int64_t>& sizes) const
{
    std::vector<std::int64_t> stack;
    for (const Term& term : m_terms) {
        if (term.kind == 'n') {
            stack.push_back(term.number);
        } else if (term.kind == 'v') {
            const auto size = sizes.find(m_names[static_cast<std::size_t>(term.number)]);
            if (size == sizes.end()) return std::nullopt;
            stack.push_back(size->second);
        } else {
            const std::int64_t right = stack.back();
            stack.pop_back();
            const auto result = applied(term.kind, stack.back(), right);
            if (!result) return std::nullopt;
            stack.back() = *result;
        }
    }
    return stack.back();
}

} // namespace plimsoll
