#pragma once

#include <concepts>
#include <limits>
#include <stdexcept>
#include <utility>

namespace plimsoll {

/// A number in a smaller type, for sizes and positions that are known to fit: beyond two thousand million nodes, say,
/// this throws, and the command ends with an error instead of going on with a wrong number. What a file may bring in
/// any size is compared first, and refused in words.
template <std::integral To, std::integral From>
[[nodiscard]] constexpr To narrow(From number)
{
    if (!std::in_range<To>(number)) throw std::range_error("a size does not fit in its type");
    return static_cast<To>(number);
}

/// The nearest number of a smaller type: for what is only shown, or a limit.
template <std::integral To, std::integral From>
[[nodiscard]] constexpr To saturated(From number)
{
    if (std::cmp_less(number, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (std::cmp_greater(number, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return static_cast<To>(number);
}

} // namespace plimsoll
