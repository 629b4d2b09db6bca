#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace plimsoll {

/// Of bytes whose sum is known to fit: those of arenas, which the problem's sizes were added up for.
[[nodiscard]] inline std::int64_t sumOf(const std::vector<std::int64_t>& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t {0});
}

} // namespace plimsoll
