#include "kernels/common/resize_plan.h"

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/formula/cuda_formula.h"
#include "kernels/cuda/launch/cuda_walk.h"
#include "kernels/cuda/launch/number.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// One dimension of the picture. Double precision, as the reference: a place between two neighbours must not fall to
/// the other one.
struct ResizedAxis
{
    Divisor size;        ///< Of the output.
    std::int64_t from;   ///< Of the input.
    std::int64_t stride; ///< Of the input.
    bool changes;
    ResizeOrigin origin {};

    PLIMSOLL_DEVICE double originOf(std::int64_t place) const
    {
        return (static_cast<double>(place) + origin.shift) * origin.times / origin.by + origin.offset + origin.more;
    }
    PLIMSOLL_DEVICE bool isOutside(double place) const { return place < 0 || place > static_cast<double>(from - 1); }
    /// The nearest place that there is, as elements from the beginning.
    PLIMSOLL_DEVICE std::int64_t clamped(double place) const
    {
        const auto last = static_cast<double>(from - 1);
        return static_cast<std::int64_t>(place < 0 ? 0 : place > last ? last : place) * stride;
    }
};

/// How the sources of a place are found and weighed.
struct Weighing
{
    NearestRule nearest = NearestRule::PreferFloor;
    double cubicA = -0.75;
    bool excludeOutside = false; ///< What is outside weighs nothing, and the others more.
};

struct Source
{
    std::int64_t at; ///< As elements from the beginning.
    float weight;
};

/// The nearest, both neighbours, or two on each side: what a place is made of along one axis.
template <int Taps>
PLIMSOLL_DEVICE void weigh(const ResizedAxis& axis, const Weighing& how, double origin, Source (&sources)[Taps])
{
    if constexpr (Taps == 1) {
        sources[0] = {axis.clamped(nearestPlace(origin, how.nearest)), 1};
    } else {
        const double base = floor(origin);
        constexpr int Before = Taps / 2 - 1; // taps left of the base
        double weights[Taps];
        double sum = 0;
        for (int k = 0; k < Taps; ++k) {
            const double at = base + (k - Before);
            weights[k] = Taps == 2 ? 1 - fabs(at - origin) : cubicWeight(at - origin, how.cubicA);
            if (how.excludeOutside && axis.isOutside(at)) weights[k] = 0;
            sum += weights[k];
            sources[k].at = axis.clamped(at);
        }
        for (int k = 0; k < Taps; ++k)
            sources[k].weight = static_cast<float>(how.excludeOutside ? weights[k] / sum : weights[k]);
    }
}

struct ResizedShape
{
    int rank = 0;
    ResizedAxis axes[MaxRank]; ///< Innermost first.
};

template <typename T>
struct NearestBody
{
    static constexpr int Loads = loadsOfWidth(sizeof(T));
    const T* x;
    T* y;
    ResizedShape shape;
    NearestRule rule;

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        std::int64_t at = 0;
        for (int d = 0; d < shape.rank; ++d) {
            const ResizedAxis& axis = shape.axes[d];
            const std::int64_t place = i % axis.size;
            at += axis.changes ? axis.clamped(nearestPlace(axis.originOf(place), rule)) : place * axis.stride;
            i = i / axis.size;
        }
        return x[at];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

constexpr int MostChanges = 3; ///< Axes that are interpolated along.

/// Two or four neighbours along each axis that changes, and all their combinations.
template <typename T, int Taps>
struct InterpolatedBody
{
    const T* x;
    T* y;
    ResizedShape shape;
    Weighing how;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        Source sources[MostChanges][Taps];
        int changes = 0;
        std::int64_t at = 0;
        for (int d = 0; d < shape.rank; ++d) {
            const ResizedAxis& axis = shape.axes[d];
            const std::int64_t place = i % axis.size;
            if (axis.changes)
                weigh<Taps>(axis, how, axis.originOf(place), sources[changes++]);
            else
                at += place * axis.stride;
            i = i / axis.size;
        }
        return sum(sources, changes, at);
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = rounded<T>(value); }

private:
    /// A neighbour without weight is not read: an infinity there would come in as NaN.
    PLIMSOLL_DEVICE float sum(const Source (&sources)[MostChanges][Taps], int changes, std::int64_t at) const
    {
        int corners = 1;
        for (int k = 0; k < changes; ++k)
            corners *= Taps;
        float sum = 0;
        for (int corner = 0; corner < corners; ++corner) {
            float weight = 1;
            std::int64_t place = at;
            for (int k = 0, rest = corner; k < changes; ++k, rest /= Taps) {
                weight *= sources[k][rest % Taps].weight;
                place += sources[k][rest % Taps].at;
            }
            if (weight != 0) sum += weight * load(x[place]);
        }
        return sum;
    }
};

/// The gradient along one axis of [outer, size, inner]: each place of the old axis gets from those that are made of it,
/// always in their order.
template <int Taps>
struct ResizedBackBody
{
    static constexpr int Reach = (Taps + 1) / 2;
    const float* g;
    float* dx;
    Divisor from; ///< Size of the old axis.
    Divisor inner;
    std::int64_t to; ///< Of the new one.
    ResizedAxis axis;
    Weighing how;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t row = i / inner;
        const std::int64_t place = row % from;
        const float* column = g + row / from * to * inner.size + i % inner;
        const std::int64_t end = placeAt(place, Reach, to);
        float sum = 0;
        for (std::int64_t made = placeAt(place, -Reach, 0); made < end; ++made) {
            const float weight = weightOf(made, place);
            if (weight != 0) sum += weight * column[made * inner.size];
        }
        return sum;
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { dx[i] = value; }

private:
    PLIMSOLL_DEVICE float weightOf(std::int64_t made, std::int64_t place) const
    {
        Source sources[Taps];
        weigh<Taps>(axis, how, axis.originOf(made), sources);
        float weight = 0;
        for (const Source& source : sources)
            weight += source.at == place ? source.weight : 0;
        return weight;
    }
    /// A place of the new axis that lies at least \p reach from \p place on the old one; \p last where what is beyond
    /// the old one comes to it, or all fall on one.
    PLIMSOLL_DEVICE std::int64_t placeAt(std::int64_t place, int reach, std::int64_t last) const
    {
        const ResizeOrigin& origin = axis.origin;
        if (place == (reach < 0 ? 0 : axis.from - 1) || origin.times <= 0) return last;
        const double there = static_cast<double>(place + reach) - origin.offset - origin.more;
        const double made = there * origin.by / origin.times - origin.shift + (reach < 0 ? -1 : 2);
        return made < 0 ? 0 : made > static_cast<double>(to) ? to : static_cast<std::int64_t>(made);
    }
};

Weighing weighingOf(const ResizeRules& rules)
{
    return {rules.nearest, rules.cubicA, rules.excludeOutside};
}

Status refuseRules(const KernelCall& call, const ResizeRules& rules)
{
    if (rules.coordinates == "tf_crop_and_resize") return decline(call, say("cuda.region"));
    return rules.antialias ? decline(call, say("cuda.spread-weights")) : Status {};
}

Status interpolate(DeviceCall& call, const TensorView& x, const TensorView& y, const ResizedShape& shape,
                   const ResizeRules& rules)
{
    const auto changes = std::count_if(shape.axes, shape.axes + shape.rank, [](const auto& a) { return a.changes; });
    if (changes > MostChanges) return decline(call, say("cuda.resized-rank"));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    const Weighing how = weighingOf(rules);
    visitReal(x.dtype, [&]<typename T>() {
        if (rules.mode == "cubic")
            forEach(call.queue(), y.elements(), InterpolatedBody<T, 4> {x.as<const T>(), y.as<T>(), shape, how});
        else
            forEach(call.queue(), y.elements(), InterpolatedBody<T, 2> {x.as<const T>(), y.as<T>(), shape, how});
    });
    return {};
}

Status resize(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    for (std::size_t setting = 1; setting <= 3; ++setting)
        PLIMSOLL_TRY(call.readOnHost(setting));
    const ResizeRules rules = resizeRules(call);
    PLIMSOLL_TRY(refuseRules(call, rules));
    PLIMSOLL_ASSIGN(target, resizeTarget(call, x));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, target.sizes));
    if (x.shape.size() > MaxRank || y.elements() == 0) return decline(call, say("cuda.empty-or-rank"));
    const Shape dense = rowMajorStrides(x.shape);
    ResizedShape shape;
    for (std::size_t d = x.shape.size(); d-- > 0;) {
        const ResizeAxis axis {x.shape[d], target.sizes[d], target.scales[d]};
        shape.axes[shape.rank++] = {Divisor(axis.to, productOf(target.sizes)), axis.from, dense[d],
                                    target.changes(d, x.shape), resizeOrigin(axis, rules.coordinates)};
    }
    if (rules.mode != "nearest") return interpolate(call, x, y, shape, rules);
    if (!isMovable(x.dtype)) return declineType(call, x.dtype);
    visitWidth(x.dtype, [&]<typename T>() {
        forEach(call.queue(), y.elements(), NearestBody<T> {x.as<const T>(), y.as<T>(), shape, rules.nearest});
    });
    return {};
}

/// The gradient before dimension \p d was resized.
Result<FormulaValue> resizedBackAlong(const FormulaScope& scope, const FormulaValue& g, std::size_t d,
                                      const ResizeAxis& axis, const ResizeRules& rules)
{
    Shape shape = g.shape;
    shape[d] = axis.from;
    PLIMSOLL_ASSIGN(made, deviceValue(scope, shape));
    const std::int64_t inner = splitAt(g.shape, static_cast<std::int64_t>(d)).inner;
    const std::int64_t count = made.elements();
    const ResizedAxis places {Divisor(axis.to), axis.from, 1, true, resizeOrigin(axis, rules.coordinates)};
    const auto launch = [&]<int Taps>() {
        forEach(deviceCall(scope).queue(), count,
                ResizedBackBody<Taps> {floatsOf(g), roomOf(made), Divisor(axis.from, count), Divisor(inner, count),
                                       axis.to, places, weighingOf(rules)});
    };
    if (rules.mode == "nearest") launch.template operator()<1>();
    if (rules.mode == "linear") launch.template operator()<2>();
    if (rules.mode == "cubic") launch.template operator()<4>();
    return made;
}

constexpr DeviceKernel Table[] = {
    {"", "Resize", "resize", resize},
    {"", "Upsample", "resize", resize},
};

} // namespace

constinit const DeviceTable resizeKernels = Table;

Result<FormulaValue> resizedBackOnDevice(const FormulaScope& scope, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(settings, forwardSettings(scope));
    const ResizeRules rules = resizeRules(settings);
    PLIMSOLL_TRY(refuseRules(settings, rules));
    const TensorView x {DType::Float32, scope.target(), nullptr};
    PLIMSOLL_ASSIGN(target, resizeTarget(settings, x));
    if (g.shape != target.sizes || g.elements() == 0) return decline(settings, say("cuda.empty-or-size"));
    FormulaValue made = g;
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
        if (!target.changes(d, x.shape)) continue;
        PLIMSOLL_ASSIGN(before,
                        resizedBackAlong(scope, made, d, {x.shape[d], target.sizes[d], target.scales[d]}, rules));
        made = before;
    }
    return made;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
