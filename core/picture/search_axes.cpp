#include "core/picture/search_axes.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

/// A first plan that is this many times as far from the bound as the second comes in from above.
constexpr double MostAbove = 2;

} // namespace

double SearchAxes::timeShare(double seconds) const
{
    const double share =
        std::log(std::max(seconds, firstSeconds) / firstSeconds) / std::log(lastSeconds / firstSeconds);
    return std::min(share, 1.0);
}

SearchAxes searchAxes(const SearchRecord& record, double elapsedSeconds)
{
    const auto& history = record.history;
    SearchAxes axes;
    axes.firstSeconds = std::max(1e-6, history.front().seconds * 0.9);
    axes.endSeconds = std::max({elapsedSeconds, record.seconds, history.back().seconds});
    axes.lastSeconds = std::max(axes.endSeconds, axes.firstSeconds * 10);
    double low = double(history.back().boundBytes);
    double high = low;
    for (const Incumbent& entry : history) {
        low = std::min(low, double(entry.boundBytes));
        high = std::max(high, double(entry.peakBytes));
    }
    if (history.size() > 2) high = std::min(high, low + MostAbove * (double(history[1].peakBytes) - low));
    const double span = std::max({high - low, high * 0.002, 16.0});
    axes.lowBytes = std::max(0.0, low - 0.12 * span);
    axes.highBytes = low + 1.15 * span;
    return axes;
}

} // namespace plimsoll
