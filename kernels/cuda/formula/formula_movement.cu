#include "core/ops/derivatives/formula.h"
#include "kernels/common/movement.h"
#include "kernels/cuda/formula/cuda_formula.h"
#include "kernels/cuda/kernels/fill.h"
#include "kernels/cuda/kernels/reduce.h"
#include "kernels/cuda/launch/indexed.h"
#include "kernels/cuda/launch/region.h"
#include "kernels/cuda/launch/triangle.h"

#include <algorithm>
#include <numeric>

/// Gradients of what only moves elements: they are moved back, and what was left out or filled in gets 0.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// A place in one of two tensors.
struct Place
{
    std::int64_t offset = 0;
    Shape strides;
};

enum class Covering : std::uint8_t { Whole, Partly };

/// The gradient in the making: all zero, unless every element gets something.
Result<FormulaValue> targetOf(const FormulaScope& scope, Covering covering)
{
    PLIMSOLL_ASSIGN(target, deviceValue(scope, scope.target()));
    if (covering == Covering::Partly) fillElements(deviceCall(scope).queue(), target.view(), 0.0);
    return target;
}

/// A block of \p shape of an incoming gradient goes from one place to another.
Status put(const FormulaScope& scope, const FormulaValue& g, const Place& from, const FormulaValue& target,
           const Place& to, const Shape& shape)
{
    return copyRegion(deviceCall(scope), {g.view(), from.offset, from.strides}, {target.view(), to.offset, to.strides},
                      shape);
}

using Moved = Result<FormulaValue> (*)(const FormulaScope&, const FormulaValue& g);

/// The elements of the incoming gradient lie in the order of the view.
Result<FormulaValue> permutedBack(const FormulaScope& scope, const FormulaValue& g, const PermutedView& view)
{
    const Shape block = view.permuted();
    if (productOf(block) != g.elements()) return decline(scope.call(), say("cuda.gradient-size"));
    PLIMSOLL_ASSIGN(target, targetOf(scope, Covering::Whole));
    PLIMSOLL_TRY(put(scope, g, {0, rowMajorStrides(block)}, target, {0, view.strides()}, block));
    return target;
}

Result<FormulaValue> transposeBack(const FormulaScope& scope, const FormulaValue& g)
{
    Shape permutation(g.shape.size());
    std::iota(permutation.rbegin(), permutation.rend(), std::int64_t {0});
    permutation = intsAttribute(scope.call(), "perm").value_or(permutation);
    const Shape target = scope.target();
    for (std::int64_t& axis : permutation) {
        PLIMSOLL_ASSIGN(from, normalAxis(scope.call(), axis, target.size()));
        axis = from;
    }
    if (permutation.size() != target.size()) return decline(scope.call(), say("cuda.permutation-rank"));
    return permutedBack(scope, g, {target, permutation});
}

template <Result<PermutedView> (*viewOf)(const KernelCall&, const Shape&)>
Result<FormulaValue> blocksBack(const FormulaScope& scope, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(view, viewOf(scope.call(), scope.target()));
    return permutedBack(scope, g, view);
}

Result<FormulaValue> sliceBack(const FormulaScope& scope, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(settings, forwardSettings(scope));
    PLIMSOLL_ASSIGN(cuts, sliceCuts(settings, {DType::Float32, scope.target(), nullptr}));
    const Shape dense = rowMajorStrides(scope.target());
    Place to;
    for (std::size_t d = 0; d < cuts.size(); ++d) {
        to.strides.push_back(dense[d] * cuts[d].step);
        to.offset += cuts[d].count > 0 ? dense[d] * cuts[d].begin : 0;
    }
    PLIMSOLL_ASSIGN(target, targetOf(scope, Covering::Partly));
    PLIMSOLL_TRY(put(scope, g, {0, rowMajorStrides(g.shape)}, target, to, g.shape));
    return target;
}

using Padding = std::pair<std::int64_t, std::int64_t>;

/// One axis of a pad that repeats elements: a thread adds up an element and what was made of it in the pads. Axes are
/// taken one after the other, so that it looks at the pads of one at a time.
struct PadAxisBody
{
    const float* g;
    float* y;
    PadMode mode;
    std::int64_t kept;
    std::int64_t cut;
    std::int64_t before;
    std::int64_t padded; ///< Elements of the incoming gradient along the axis.
    Divisor size;        ///< Of what is made, along the axis.
    Divisor inner;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t line = i / inner;
        const std::int64_t at = line % size - cut;
        const float* from = g + line / size * padded * inner.size + i % inner;
        if (at < 0 || at >= kept) return 0;
        float sum = from[(at + before) * inner.size];
        for (std::int64_t place = 0; place < before; ++place)
            sum += continuedPlace(mode, place - before, kept) == at ? from[place * inner.size] : 0;
        for (std::int64_t place = before + kept; place < padded; ++place)
            sum += continuedPlace(mode, place - before, kept) == at ? from[place * inner.size] : 0;
        return sum;
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }
};

Result<FormulaValue> padAxisBack(const FormulaScope& scope, const FormulaValue& g, std::size_t axis, std::int64_t size,
                                 PadMode mode, const Padding& padding)
{
    Shape shape = g.shape;
    shape[axis] = size;
    PLIMSOLL_ASSIGN(made, deviceValue(scope, shape));
    const std::int64_t cut = std::max<std::int64_t>(-padding.first, 0);
    const std::int64_t inner = productOf(g.shape, axis + 1, g.shape.size());
    const std::int64_t count = made.elements();
    if (inner == 0 || size == 0) return made;
    forEach(deviceCall(scope).queue(), count,
            PadAxisBody {floatsOf(g), roomOf(made), mode,
                         std::max<std::int64_t>(size - cut - std::max<std::int64_t>(-padding.second, 0), 0), cut,
                         std::max<std::int64_t>(padding.first, 0), g.shape[axis], Divisor(size, count),
                         Divisor(inner, count)});
    return made;
}

/// What was filled in is left out; what was cut off gets 0.
Result<FormulaValue> padBack(const FormulaScope& scope, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(mode, padMode(scope.call()));
    PLIMSOLL_ASSIGN(settings, forwardSettings(scope));
    const Shape shape = scope.target();
    PLIMSOLL_ASSIGN(pads, padsOf(settings, {DType::Float32, shape, nullptr}));
    FormulaValue part = g;
    for (std::size_t axis = 0; mode != PadMode::Constant && axis < shape.size(); ++axis) {
        if (pads[axis] == Padding {0, 0}) continue;
        PLIMSOLL_ASSIGN(next, padAxisBack(scope, part, axis, shape[axis], mode, pads[axis]));
        part = next;
    }
    if (mode != PadMode::Constant) return part;
    const Shape dense = rowMajorStrides(shape);
    const Shape padded = rowMajorStrides(g.shape);
    Place from {0, padded};
    Place to {0, dense};
    Shape block;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::int64_t cut = std::max<std::int64_t>(-pads[d].first, 0);
        from.offset += std::max<std::int64_t>(pads[d].first, 0) * padded[d];
        to.offset += cut * dense[d];
        block.push_back(std::max<std::int64_t>(shape[d] - cut - std::max<std::int64_t>(-pads[d].second, 0), 0));
    }
    PLIMSOLL_ASSIGN(target, targetOf(scope, Covering::Partly));
    PLIMSOLL_TRY(put(scope, g, from, target, to, block));
    return target;
}

/// Where a part begins along the axis: behind those before it.
Result<FormulaValue> concatBack(const FormulaScope& scope, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 1), g.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t begin = 0;
    for (const std::string& name : textsAttribute(scope.call(), "grad.arguments")) {
        if (name == scope.variable()) break;
        const Shape sizes = scope.sizes(name);
        if (sizes.size() != g.shape.size()) return decline(scope.call(), say("cuda.unknown-part"));
        begin += sizes[at];
    }
    const Shape shape = scope.target();
    const Shape strides = rowMajorStrides(g.shape);
    PLIMSOLL_ASSIGN(target, targetOf(scope, Covering::Whole));
    PLIMSOLL_TRY(put(scope, g, {begin * strides[at], strides}, target, {0, rowMajorStrides(shape)}, shape));
    return target;
}

/// Every part that has a gradient goes back to its place.
Result<FormulaValue> splitBack(const FormulaScope& scope, const FormulaValue& /*first*/)
{
    const Shape shape = scope.target();
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 0), shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    const Shape dense = rowMajorStrides(shape);
    PLIMSOLL_ASSIGN(target, targetOf(scope, Covering::Partly));
    std::int64_t begin = 0;
    for (std::size_t k = 0;; ++k) {
        const std::string name = gradientName(k);
        if (!hasAttribute(scope.call(), "grad.sizes." + name)) break;
        const Shape sizes = scope.sizes(name);
        if (scope.input(name)) {
            PLIMSOLL_ASSIGN(part, scope.value(name));
            PLIMSOLL_ASSIGN(g, scope.written(part, sizes));
            PLIMSOLL_TRY(put(scope, g, {0, rowMajorStrides(sizes)}, target, {begin * dense[at], dense}, sizes));
        }
        begin += sizes[at];
    }
    return target;
}

Result<Indices> indicesNamed(const FormulaScope& scope, std::string_view name)
{
    const TensorView* indices = scope.input(name);
    if (!indices || !isIndex(indices->dtype)) return decline(scope.call(), say("cuda.no-indices"));
    return Indices {indices->data, indices->dtype == DType::Int64, deviceCall(scope).queue().fault};
}

Result<std::size_t> axisOf(const FormulaScope& scope)
{
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 0), scope.target().size()));
    return static_cast<std::size_t>(axis);
}

Result<FormulaValue> gatherBack(const FormulaScope& scope, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(indices, indicesNamed(scope, "indices"));
    PLIMSOLL_ASSIGN(axis, axisOf(scope));
    const std::int64_t count = scope.input("indices")->elements();
    const AxisSplit split = splitAt(scope.target(), static_cast<std::int64_t>(axis));
    PLIMSOLL_ASSIGN(target, targetOf(scope, Covering::Partly));
    forEach(deviceCall(scope).queue(), count > 0 ? split.outer * split.inner : 0,
            IndexAddBody {floatsOf(g), indices, roomOf(target), count, split.size, split.inner});
    return target;
}

Result<FormulaValue> gatherElementsBack(const FormulaScope& scope, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(indices, indicesNamed(scope, "index"));
    PLIMSOLL_ASSIGN(axis, axisOf(scope));
    PLIMSOLL_ASSIGN(target, targetOf(scope, Covering::Partly));
    const bool fits = scatterElementsAlong<float>(deviceCall(scope).queue(), indices, scope.input("index")->shape, axis,
                                                  floatsOf(g), roomOf(target), scope.target(), Update::Add);
    return fits ? Result<FormulaValue>(target) : decline(scope.call(), say("cuda.index-misfit"));
}

/// The sum of all repetitions.
Result<FormulaValue> tileBack(const FormulaScope& scope, const FormulaValue& g)
{
    const Shape shape = scope.target();
    if (g.shape.size() != shape.size()) return decline(scope.call(), say("cuda.repeat-rank"));
    Shape repeated; // [repetition, size] for each dimension
    std::vector<bool> gone;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] < 1 || g.shape[d] % shape[d] != 0) return decline(scope.call(), say("cuda.repeats-other"));
        repeated.insert(repeated.end(), {g.shape[d] / shape[d], shape[d]});
        gone.insert(gone.end(), {true, false});
    }
    PLIMSOLL_ASSIGN(made, deviceValue(scope, shape));
    PLIMSOLL_TRY((reduceInto<float, float, SumStep<float>>(deviceCall(scope), reductionOver(repeated, gone, false),
                                                           floatsOf(g), roomOf(made))));
    return made;
}

Result<FormulaValue> triluBack(const FormulaScope& scope, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(settings, forwardSettings(scope));
    const Shape shape = scope.target();
    if (shape.size() < 2 || g.shape != shape) return decline(scope.call(), say("cuda.no-matrices"));
    PLIMSOLL_ASSIGN(made, deviceValue(scope, shape));
    keepTriangle<float>(deviceCall(scope).queue(), shape, floatsOf(g), roomOf(made), intInput(settings, 1, 0),
                        intAttribute(scope.call(), "upper", 1) != 0);
    return made;
}

struct MovedBack
{
    std::string_view op;
    Moved run;
};
constexpr MovedBack Operators[] = {
    {"Concat", concatBack},
    {"DepthToSpace", blocksBack<depthToSpaceView>},
    {"Gather", gatherBack},
    {"GatherElements", gatherElementsBack},
    {"Pad", padBack},
    {"Slice", sliceBack},
    {"SpaceToDepth", blocksBack<spaceToDepthView>},
    {"Split", splitBack},
    {"Tile", tileBack},
    {"Transpose", transposeBack},
    {"Trilu", triluBack},
};

} // namespace

Result<FormulaValue> movedBackOnDevice(const FormulaScope& scope, const FormulaValue& g)
{
    for (const MovedBack& moved : Operators) {
        if (moved.op == scope.call().node().op) return moved.run(scope, g);
    }
    return decline(scope.call(), say("cuda.gradient-not-moved"));
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
