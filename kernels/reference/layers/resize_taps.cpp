#include "kernels/reference/layers/resize_taps.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {
namespace {

double linearWeight(double distance)
{
    return std::max(1 - std::fabs(distance), 0.0);
}

ResizeTaps interpolate(double origin, const ResizeAxis& axis, const ResizeRules& rules)
{
    const bool cubic = rules.mode == "cubic";
    const double shrink = rules.antialias ? std::min(axis.scale, 1.0) : 1;
    const auto reach = static_cast<std::int64_t>(std::ceil((cubic ? 2 : 1) / shrink));
    const double base = std::floor(origin);
    ResizeTaps taps;
    double sum = 0;
    for (std::int64_t k = 1 - reach; k <= reach; ++k) {
        const double at = base + static_cast<double>(k);
        const double distance = (at - origin) * shrink;
        double weight = cubic ? cubicWeight(distance, rules.cubicA) : linearWeight(distance);
        const double inside = std::clamp(at, 0.0, static_cast<double>(axis.from - 1));
        if (rules.excludeOutside && inside != at) weight = 0;
        sum += weight;
        if (weight != 0) taps.weights.emplace_back(static_cast<std::int64_t>(inside), weight);
    }
    if (rules.excludeOutside || rules.antialias) {
        for (auto& tap : taps.weights)
            tap.second /= sum;
    }
    return taps;
}

} // namespace

std::vector<ResizeTaps> resizeTaps(const ResizeAxis& axis, const ResizeRules& rules)
{
    std::vector<ResizeTaps> all;
    const double last = static_cast<double>(axis.from - 1);
    const ResizeOrigin at = resizeOrigin(axis, rules.coordinates);
    for (std::int64_t place = 0; place < axis.to; ++place) {
        const double origin = (static_cast<double>(place) + at.shift) * at.times / at.by + at.offset + at.more;
        ResizeTaps taps;
        if (rules.mode == "nearest") {
            taps.weights.emplace_back(
                static_cast<std::int64_t>(std::clamp(nearestPlace(origin, rules.nearest), 0.0, last)), 1.0);
        } else {
            taps = interpolate(origin, axis, rules);
        }
        taps.outside = origin < 0 || origin > last;
        all.push_back(std::move(taps));
    }
    return all;
}

std::vector<double> cubicWeights(double fraction, double a)
{
    return {cubicWeight(fraction + 1, a), cubicWeight(fraction, a), cubicWeight(1 - fraction, a),
            cubicWeight(2 - fraction, a)};
}

} // namespace plimsoll::kernels
