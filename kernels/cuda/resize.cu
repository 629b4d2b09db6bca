#include "kernels/reference/resize.h"

#include "kernels/cuda/families.h"
#include "kernels/cuda/number.h"
#include "kernels/cuda/walk.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

enum class NearestRule : std::uint8_t { Floor, Ceil, PreferCeil, PreferFloor };

/// One dimension of the picture. Double precision, as the reference: a place between two neighbours must not fall to
/// the other one.
struct ResizedAxis
{
    Divisor size;        ///< Of the output.
    std::int64_t from;   ///< Of the input.
    std::int64_t stride; ///< Of the input.
    bool changes;
    ResizeOrigin origin;

    PLIMSOLL_DEVICE double originOf(std::int64_t place) const
    {
        return (static_cast<double>(place) + origin.shift) * origin.times / origin.by + origin.offset + origin.more;
    }
    /// The nearest place that there is, as elements from the beginning.
    PLIMSOLL_DEVICE std::int64_t clamped(double place) const
    {
        const auto last = static_cast<double>(from - 1);
        return static_cast<std::int64_t>(place < 0 ? 0 : place > last ? last : place) * stride;
    }
};

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
            at += axis.changes ? axis.clamped(nearest(axis.originOf(place))) : place * axis.stride;
            i = i / axis.size;
        }
        return x[at];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }

private:
    PLIMSOLL_DEVICE double nearest(double origin) const
    {
        switch (rule) {
        case NearestRule::Floor:
            return floor(origin);
        case NearestRule::Ceil:
            return ceil(origin);
        case NearestRule::PreferCeil:
            return floor(origin + 0.5);
        default:
            return ceil(origin - 0.5);
        }
    }
};

/// Both neighbours along each axis that changes: two, four or eight of them.
template <typename T>
struct LinearBody
{
    static constexpr int MostChanges = 3;
    struct Side
    {
        std::int64_t at;
        float weight;
    };
    const T* x;
    T* y;
    ResizedShape shape;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        Side sides[MostChanges][2];
        int changes = 0;
        std::int64_t at = 0;
        for (int d = 0; d < shape.rank; ++d) {
            const ResizedAxis& axis = shape.axes[d];
            const std::int64_t place = i % axis.size;
            if (axis.changes) {
                const double origin = axis.originOf(place);
                const double base = floor(origin);
                sides[changes][0] = {axis.clamped(base), static_cast<float>(1 - (origin - base))};
                sides[changes][1] = {axis.clamped(base + 1), static_cast<float>(origin - base)};
                ++changes;
            } else {
                at += place * axis.stride;
            }
            i = i / axis.size;
        }
        return sum(sides, changes, at);
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = rounded<T>(value); }

private:
    /// A neighbour without weight is not read: an infinity there would come in as NaN.
    PLIMSOLL_DEVICE float sum(const Side (&sides)[MostChanges][2], int changes, std::int64_t at) const
    {
        float sum = 0;
        for (int corner = 0; corner < 1 << changes; ++corner) {
            float weight = 1;
            std::int64_t place = at;
            for (int k = 0; k < changes; ++k) {
                const Side& side = sides[k][corner >> k & 1];
                weight *= side.weight;
                place += side.at;
            }
            if (weight != 0) sum += weight * load(x[place]);
        }
        return sum;
    }
};

NearestRule nearestRule(const std::string& rule)
{
    if (rule == "floor") return NearestRule::Floor;
    if (rule == "ceil") return NearestRule::Ceil;
    return rule == "round_prefer_ceil" ? NearestRule::PreferCeil : NearestRule::PreferFloor;
}

ResizedShape resizedShape(const TensorView& x, const ResizeTarget& target, const ResizeRules& rules)
{
    const Shape dense = rowMajorStrides(x.shape);
    ResizedShape shape;
    for (std::size_t d = x.shape.size(); d-- > 0;) {
        const ResizeAxis axis {x.shape[d], target.sizes[d], target.scales[d]};
        shape.axes[shape.rank++] = {Divisor(axis.to, productOf(target.sizes)), axis.from, dense[d],
                                    target.changes(d, x.shape), resizeOrigin(axis, rules.coordinates)};
    }
    return shape;
}

Status refuseRules(const DeviceCall& call, const ResizeRules& rules)
{
    if (rules.mode != "nearest" && rules.mode != "linear") return decline(call, "mode " + rules.mode);
    if (rules.coordinates == "tf_crop_and_resize") return decline(call, "a region of interest");
    if (rules.mode == "linear" && (rules.antialias || rules.excludeOutside))
        return decline(call, "weights that leave out what is outside, or are spread");
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
    if (x.shape.size() > MaxRank || y.elements() == 0) return decline(call, "it is empty or has too many dimensions");
    const ResizedShape shape = resizedShape(x, target, rules);
    if (rules.mode == "nearest") {
        if (!isMovable(x.dtype)) return declineType(call, x.dtype);
        visitWidth(x.dtype, [&]<typename T>() {
            forEach(call.queue(), y.elements(),
                    NearestBody<T> {x.as<const T>(), y.as<T>(), shape, nearestRule(rules.nearest)});
        });
        return {};
    }
    const auto changes = std::count_if(shape.axes, shape.axes + shape.rank, [](const auto& a) { return a.changes; });
    if (changes > LinearBody<float>::MostChanges) return decline(call, "more than three dimensions change");
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    visitReal(x.dtype, [&]<typename T>() {
        forEach(call.queue(), y.elements(), LinearBody<T> {x.as<const T>(), y.as<T>(), shape});
    });
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Resize", "resize", resize},
    {"", "Upsample", "resize", resize},
};

} // namespace

DeviceTable resizeKernels()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
