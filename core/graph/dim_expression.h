#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// A dimension that follows from others, as exporters print it: "2*s0 + 1", "(seq_len - 1)//2". Names, whole numbers,
/// + - * // (rounded down) and parentheses; a '-' or '.' between letters belongs to a name ("batch-size").
class DimExpression
{
public:
    /// Nothing for a mere name or number, and for whatever else there is in it: that is a name as a whole.
    [[nodiscard]] static std::optional<DimExpression> parse(std::string_view text);

    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }

    /// Nothing where a name has no size, something does not fit in 63 bits, or is divided by zero.
    [[nodiscard]] std::optional<std::int64_t> evaluate(const std::map<std::string, std::int64_t>& sizes) const;

private:
    friend class DimExpressionParser;

    struct Term
    {
        char kind = 'n';         ///< 'n' a number, 'v' a name, else an operator on the two terms before: + - * /
        std::int64_t number = 0; ///< The number, or the index of the name.
    };

    std::vector<std::string> m_names; ///< Each once.
    std::vector<Term> m_terms;        ///< Operands before their operator.
};

} // namespace plimsoll
