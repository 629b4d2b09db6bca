#pragma once

#include <cstdint>
#include <optional>

namespace plimsoll {

/// A 64-bit integer that remembers that it has overflowed (or was divided by zero), so that formulas over numbers from
/// a file can be written as formulas and asked once at their end.
class SafeInt
{
public:
    constexpr SafeInt(std::int64_t number) : m_number(number) {}

    /// Empty after an overflow anywhere on the way.
    [[nodiscard]] constexpr std::optional<std::int64_t> get() const
    {
        return m_valid ? std::optional(m_number) : std::nullopt;
    }

    friend SafeInt operator+(SafeInt a, SafeInt b)
    {
        SafeInt sum = joined(a, b);
        if (__builtin_add_overflow(a.m_number, b.m_number, &sum.m_number)) sum.m_valid = false;
        return sum;
    }
    friend SafeInt operator-(SafeInt a, SafeInt b)
    {
        SafeInt difference = joined(a, b);
        if (__builtin_sub_overflow(a.m_number, b.m_number, &difference.m_number)) difference.m_valid = false;
        return difference;
    }
    friend SafeInt operator*(SafeInt a, SafeInt b)
    {
        SafeInt product = joined(a, b);
        if (__builtin_mul_overflow(a.m_number, b.m_number, &product.m_number)) product.m_valid = false;
        return product;
    }
    /// Rounds down, unlike the operator of the language.
    [[nodiscard]] SafeInt floorDiv(SafeInt divisor) const
    {
        SafeInt quotient = joined(*this, divisor);
        if (divisor.m_number == 0 || (divisor.m_number == -1 && m_number == INT64_MIN)) {
            quotient.m_valid = false;
            return quotient;
        }
        quotient.m_number = m_number / divisor.m_number;
        const bool inexact = m_number % divisor.m_number != 0;
        if (inexact && (m_number < 0) != (divisor.m_number < 0)) --quotient.m_number;
        return quotient;
    }
    [[nodiscard]] SafeInt ceilDiv(SafeInt divisor) const { return SafeInt(0) - (SafeInt(0) - *this).floorDiv(divisor); }

private:
    static SafeInt joined(SafeInt a, SafeInt b)
    {
        SafeInt result(0);
        result.m_valid = a.m_valid && b.m_valid;
        return result;
    }

    std::int64_t m_number;
    bool m_valid = true;
};

} // namespace plimsoll
