#include "core/plan/policy_change.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

bool timesCompare(const PlanCost& a, const PlanCost& b)
{
    return a.untimedNodes == b.untimedNodes && a.kernelMs > 0 && b.kernelMs > 0;
}

bool beats(const PlanCost& a, const PlanCost& b)
{
    const bool timed = timesCompare(a, b);
    if (a.peakBytes > b.peakBytes || a.externalBytes > b.externalBytes || (timed && a.kernelMs > b.kernelMs))
        return false;
    return a.peakBytes < b.peakBytes || a.externalBytes < b.externalBytes || (timed && a.kernelMs < b.kernelMs);
}

} // namespace

std::vector<std::string> sizesOf(const Sweep& sweep, const SweepPoint& point)
{
    std::vector<std::string> sizes;
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
        if (!sweep.axes[axis].ofPolicy) sizes.push_back(point.values[axis]);
    return sizes;
}

std::vector<bool> unbeaten(const Sweep& sweep)
{
    std::map<std::vector<std::string>, std::vector<std::size_t>> bySizes;
    for (std::size_t point = 0; point < sweep.points.size(); ++point) {
        const SweepPoint& one = sweep.points[point];
        if (one.refused.empty() && one.errors == 0) bySizes[sizesOf(sweep, one)].push_back(point);
    }
    std::vector<bool> best(sweep.points.size(), false);
    for (const auto& [sizes, points] : bySizes) {
        if (points.size() < 2) continue;
        for (const std::size_t point : points)
            best[point] = std::ranges::none_of(
                points, [&](std::size_t other) { return beats(sweep.points[other].cost, sweep.points[point].cost); });
    }
    return best;
}

} // namespace plimsoll
