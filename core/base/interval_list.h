#pragma once

#include "core/base/interval.h"

#include <vector>

namespace plimsoll {

/// What is left of \p ranges without \p taken. None of it is empty.
[[nodiscard]] inline std::vector<Interval> without(const std::vector<Interval>& ranges, Interval taken)
{
    std::vector<Interval> left;
    const auto keep = [&](Interval range) {
        if (!range.empty()) left.push_back(range);
    };
    for (const Interval& range : ranges) {
        if (!overlaps(range, taken)) {
            keep(range);
            continue;
        }
        keep({range.begin, taken.begin});
        keep({taken.end, range.end});
    }
    return left;
}

} // namespace plimsoll
