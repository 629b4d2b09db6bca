#include "core/picture/trade_off_axes.h"

#include <algorithm>
#include <vector>

namespace plimsoll {
namespace {

/// Room beside the outermost points, of what lies between them.
constexpr double Before = 0.1;
constexpr double Behind = 0.15;

/// A time that is so many times the next shorter one leaves no room for the others.
constexpr double FarBeyond = 5;

void widen(double& low, double& high, double least)
{
    const double span = high > low ? std::max({high - low, high * 0.002, least}) : std::max(high, least); // one figure
    low = std::max(0.0, low - Before * span);
    high += Behind * span;
}

} // namespace

TradeOffAxes tradeOffAxes(std::span<const TradeOff> points, const PlanCost& shown)
{
    const auto timed = [&](const PlanCost& cost) { return cost.kernelMs > 0; };
    TradeOffAxes axes;
    axes.lowBytes = axes.highBytes = double(shown.peakBytes);
    std::vector<double> times;
    if (timed(shown)) times.push_back(shown.kernelMs);
    for (const TradeOff& point : points) {
        axes.lowBytes = std::min(axes.lowBytes, double(point.cost.peakBytes));
        axes.highBytes = std::max(axes.highBytes, double(point.cost.peakBytes));
        if (timed(point.cost)) times.push_back(point.cost.kernelMs);
    }
    std::ranges::sort(times);
    if (!times.empty()) axes.lowMs = axes.highMs = times.front();
    for (const double ms : times) {
        if (ms > FarBeyond * axes.highMs) break;
        axes.highMs = ms;
    }
    widen(axes.lowBytes, axes.highBytes, 16);
    widen(axes.lowMs, axes.highMs, 1e-6);
    return axes;
}

} // namespace plimsoll
