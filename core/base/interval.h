#pragma once

#include <algorithm>
#include <cstdint>

namespace plimsoll {

/// Half-open range [begin, end) of steps or of bytes. Every range of Plimsoll is of this kind;
/// readers of formats with inclusive ends convert at the border, with fromInclusive.
struct Interval
{
    std::int64_t begin = 0;
    std::int64_t end = 0;

    [[nodiscard]] static constexpr Interval fromInclusive(std::int64_t first, std::int64_t last)
    {
        return {first, last + 1};
    }

    [[nodiscard]] constexpr bool empty() const { return end <= begin; }
    [[nodiscard]] constexpr std::int64_t length() const { return empty() ? 0 : end - begin; }
    [[nodiscard]] constexpr bool contains(std::int64_t point) const { return begin <= point && point < end; }

    friend constexpr bool operator==(Interval, Interval) = default;
};

/// Touching ranges do not overlap; an empty range overlaps nothing.
[[nodiscard]] constexpr bool overlaps(Interval a, Interval b)
{
    return std::max(a.begin, b.begin) < std::min(a.end, b.end);
}

/// May be empty.
[[nodiscard]] constexpr Interval intersection(Interval a, Interval b)
{
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

} // namespace plimsoll
