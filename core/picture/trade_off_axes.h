#pragma once

#include "core/plan/policy_change.h"

#include <algorithm>
#include <span>

namespace plimsoll {

/// What the plot of time against peak spans.
///
///     high  |  o___          slower, with fewer bytes
///           |      o______
///      low  |             o______  the fastest
///           +--------------------> bytes of the peak
struct TradeOffAxes
{
    double lowBytes = 0;
    double highBytes = 1;
    double lowMs = 0;
    double highMs = 1;

    /// From the lowest (0) to the highest (1).
    [[nodiscard]] double byteShare(double bytes) const { return (bytes - lowBytes) / (highBytes - lowBytes); }
    [[nodiscard]] double timeShare(double ms) const { return std::clamp((ms - lowMs) / (highMs - lowMs), 0.0, 1.0); }
    [[nodiscard]] bool isBeyond(double ms) const { return ms > highMs; }
};

/// Of at least one point; all of them and the plan that is shown are inside, but for times that are many times as long
/// as the next shorter one. The time of any may not be known (0).
[[nodiscard]] TradeOffAxes tradeOffAxes(std::span<const TradeOff> points, const PlanCost& shown);

} // namespace plimsoll
