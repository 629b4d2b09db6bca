#include "kernels/reference/layers/resize.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/common/resize_plan.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace plimsoll::kernels {
namespace {

/// Which places of the old axis a place of the new one is made of.
struct ResizeTaps
{
    std::vector<std::pair<std::int64_t, double>> weights;
    bool outside = false; ///< Before the first or behind the last place.
};

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
        double weight = cubic ? cubicWeight(distance, rules.cubicA) : std::max(1 - std::fabs(distance), 0.0);
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

/// Resizes one axis: each place of the new one is a weighted sum of places of the old one.
template <typename Number>
std::vector<Number> resizeAxis(const std::vector<Number>& in, const AxisSplit& split,
                               const std::vector<ResizeTaps>& taps)
{
    const auto size = static_cast<std::int64_t>(taps.size());
    std::vector<Number> out(static_cast<std::size_t>(split.outer * size * split.inner), 0);
    for (std::int64_t outer = 0; outer < split.outer; ++outer) {
        for (std::int64_t place = 0; place < size; ++place) {
            Number* row = out.data() + (outer * size + place) * split.inner;
            for (const auto& [source, weight] : taps[static_cast<std::size_t>(place)].weights) {
                const Number* from = in.data() + (outer * split.size + source) * split.inner;
                for (std::int64_t i = 0; i < split.inner; ++i)
                    row[i] += static_cast<Number>(weight) * from[i];
            }
        }
    }
    return out;
}

/// The same backwards: each place of the old axis gets from every place that was made of it.
std::vector<double> resizeAxisBack(const std::vector<double>& g, const AxisSplit& split,
                                   const std::vector<ResizeTaps>& taps, std::int64_t from)
{
    std::vector<double> back(static_cast<std::size_t>(split.outer * from * split.inner), 0);
    for (std::int64_t outer = 0; outer < split.outer; ++outer) {
        for (std::int64_t place = 0; place < split.size; ++place) {
            const double* row = g.data() + (outer * split.size + place) * split.inner;
            for (const auto& [source, weight] : taps[static_cast<std::size_t>(place)].weights) {
                double* to = back.data() + (outer * from + source) * split.inner;
                for (std::int64_t i = 0; i < split.inner; ++i)
                    to[i] += weight * row[i];
            }
        }
    }
    return back;
}

/// By axis; empty where nothing happens to it.
using TapsByAxis = std::vector<std::vector<ResizeTaps>>;

/// Where any axis fell outside the picture, the extrapolation value goes.
void extrapolate(const Shape& shape, const TapsByAxis& taps, double value, std::vector<double>& numbers)
{
    std::size_t at = 0;
    for (IndexWalk walk(shape); walk.valid(); walk.advance(), ++at) {
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (!taps[d].empty() && taps[d][static_cast<std::size_t>(walk[d])].outside) numbers[at] = value;
        }
    }
}

bool cropsRegion(const ResizeRules& rules)
{
    return rules.coordinates == "tf_crop_and_resize";
}

TapsByAxis tapsByAxis(const KernelCall& call, const TensorView& x, const ResizeTarget& target)
{
    const ResizeRules rules = resizeRules(call);
    std::vector<double> roi;
    if (const TensorView* given = resizeRegion(call)) roi = doublesOf(*given);
    const bool cropped = cropsRegion(rules) && roi.size() == 2 * target.axes.size();
    TapsByAxis taps(x.shape.size());
    for (std::size_t i = 0; i < target.axes.size(); ++i) {
        const std::size_t d = target.axes[i];
        if (!target.changes(d, x.shape) && !cropped) continue;
        ResizeAxis axis {x.shape[d], target.sizes[d], target.scales[d], 0, 1};
        if (cropped) {
            axis.roiBegin = roi[i];
            axis.roiEnd = roi[i + target.axes.size()];
        }
        taps[d] = resizeTaps(axis, rules);
    }
    return taps;
}

/// Whether every place is one of the old ones.
bool copies(const TapsByAxis& taps)
{
    return std::ranges::all_of(taps, [](const std::vector<ResizeTaps>& places) {
        return std::ranges::all_of(places, [](const ResizeTaps& place) {
            return place.weights.size() == 1 && place.weights.front().second == 1;
        });
    });
}

template <typename Number>
std::vector<Number> resizeAxes(std::vector<Number> numbers, Shape shape, const ResizeTarget& target,
                               const TapsByAxis& taps)
{
    for (const std::size_t d : target.axes) {
        if (taps[d].empty()) continue;
        numbers = resizeAxis(numbers, splitAt(shape, static_cast<std::int64_t>(d)), taps[d]);
        shape[d] = target.sizes[d];
    }
    return numbers;
}

Status resize(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype) && !isInteger(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(target, resizeTarget(call, x));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, target.sizes));
    const TapsByAxis taps = tapsByAxis(call, x, target);
    if (isInteger(x.dtype) && !cropsRegion(resizeRules(call)) && copies(taps)) {
        const std::vector<std::int64_t> numbers = resizeAxes(integersOf(x), x.shape, target, taps);
        storeNumbers(numbers.data(), y);
        return {};
    }
    std::vector<double> numbers = resizeAxes(doublesOf(x), x.shape, target, taps);
    if (cropsRegion(resizeRules(call)))
        extrapolate(target.sizes, taps, floatAttribute(call, "extrapolation_value", 0), numbers);
    storeNumbers(numbers.data(), y);
    return {};
}

constexpr KernelEntry ResizeKernels[] = {
    {"", "Resize", resize},
    {"", "Upsample", resize},
};

} // namespace

std::vector<double> cubicWeights(double fraction, double a)
{
    return {cubicWeight(fraction + 1, a), cubicWeight(fraction, a), cubicWeight(1 - fraction, a),
            cubicWeight(2 - fraction, a)};
}

Result<std::vector<double>> resizeBack(const KernelCall& call, const TensorView& x, std::vector<double> g)
{
    PLIMSOLL_ASSIGN(target, resizeTarget(call, x));
    if (elementCount(target.sizes) != static_cast<std::int64_t>(g.size()))
        return refuse(call, say("kernel.gradient-size"));
    const TapsByAxis taps = tapsByAxis(call, x, target);
    Shape shape = target.sizes;
    if (cropsRegion(resizeRules(call))) extrapolate(shape, taps, 0, g);
    for (const std::size_t d : target.axes) {
        if (taps[d].empty()) continue;
        g = resizeAxisBack(g, splitAt(shape, static_cast<std::int64_t>(d)), taps[d], x.shape[d]);
        shape[d] = x.shape[d];
    }
    return g;
}

constinit const KernelTable resizeKernels = ResizeKernels;

} // namespace plimsoll::kernels
