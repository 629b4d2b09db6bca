#pragma once

#include "kernels/cuda/launch/launch.h"

#include <concepts>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// A number that many threads divide by. Where all dividends are below 2^31 that is a multiplication and a shift
/// (Granlund and Montgomery 1994, "Division by invariant integers using multiplication"); a division takes a device
/// some thirty instructions, one of 64 bits some hundred.
class Divisor
{
public:
    Divisor() : Divisor(1) {}
    /// Of dividends in [0, \p count).
    explicit Divisor(std::int64_t by, std::int64_t count = Most) : size(by < 1 ? 1 : by)
    {
        if (count > Most || size > Most) return;
        while (std::int64_t {1} << m_shift < size)
            ++m_shift;
        const std::uint64_t rest = (std::uint64_t {1} << m_shift) - static_cast<std::uint64_t>(size);
        m_multiplier = static_cast<std::uint32_t>((rest << 32U) / static_cast<std::uint64_t>(size) + 1);
    }

    template <std::integral Number>
    friend PLIMSOLL_DEVICE Number operator/(Number dividend, const Divisor& by)
    {
        if (by.m_multiplier == 0) return static_cast<Number>(divided(dividend, by.size));
        const auto low = static_cast<std::uint32_t>(dividend);
        const auto high = static_cast<std::uint32_t>(std::uint64_t {low} * by.m_multiplier >> 32U);
        return static_cast<Number>((low + high) >> by.m_shift);
    }
    template <std::integral Number>
    friend PLIMSOLL_DEVICE Number operator%(Number dividend, const Divisor& by)
    {
        return static_cast<Number>(dividend - dividend / by * by.size);
    }

    std::int64_t size; ///< At least 1: of nothing there are no dividends.

private:
    static constexpr std::int64_t Most = std::int64_t {1} << 31U;
    /// Out of line: it is long, and hardly ever taken.
    static PLIMSOLL_OUT_OF_LINE PLIMSOLL_DEVICE std::int64_t divided(std::int64_t dividend, std::int64_t by)
    {
        return dividend / by;
    }
    std::uint32_t m_multiplier = 0; ///< 0: dividends may be larger.
    std::uint32_t m_shift = 0;
};

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
