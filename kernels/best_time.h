#pragma once

#include <algorithm>

namespace plimsoll::kernels {

/// The least of a few executions, each of which says its milliseconds; below 0 where one fails. The first warms up, and
/// where threads wait for one another on a busy machine some take a hundred times as long as others: only what takes
/// long in any case is known after one.
template <typename Execute>
[[nodiscard]] double bestTime(const Execute& execute)
{
    constexpr int Most = 8;
    constexpr int Least = 3;
    constexpr double EnoughMs = 60; ///< For all of them, once there are a few.
    constexpr double LongMs = 300;
    double best = execute();
    double spent = best;
    for (int i = 1; i < Most && best >= 0 && spent < (i < Least ? LongMs : EnoughMs); ++i) {
        const double ms = execute();
        best = std::min(best, ms);
        spent += std::max(ms, 0.0);
    }
    return best;
}

} // namespace plimsoll::kernels
