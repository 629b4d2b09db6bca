#include "core/base/narrow.h"
#include "kernels/common/movement.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/kernels/fill.h"
#include "kernels/cuda/launch/map.h"
#include "kernels/cuda/launch/region.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// The same elements in the same order, as the graph says in which shape.
Status reshaped(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isMovable(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.plannedOutput(0));
    if (y.dtype != x.dtype || y.elements() != x.elements()) return decline(call, say("cuda.output-size"));
    call.mayLieOver(0, 0);
    copyElements(call.queue(), x, y);
    return {};
}

Status permute(DeviceCall& call, const TensorView& x, const PermutedView& view)
{
    PLIMSOLL_ASSIGN(y, call.plannedOutput(0));
    if (y.elements() != x.elements()) return decline(call, say("cuda.output-size"));
    const Shape block = view.permuted();
    return copyRegion(call, {x, 0, view.strides()}, {y, 0, rowMajorStrides(block)}, block);
}

Status transpose(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(permutation, permutationOf(call, x));
    return permute(call, x, {x.shape, permutation});
}

template <Result<PermutedView> (*viewOf)(const KernelCall&, const Shape&)>
Status blocks(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(view, viewOf(call, x.shape));
    return permute(call, x, view);
}

/// Copies between a part of a tensor and that part as a tensor of its own.
Status copyPart(DeviceCall& call, const TensorView& whole, const TensorView& part, std::int64_t axis,
                std::int64_t begin, bool intoWhole)
{
    const AxisSplit split = splitAt(whole.shape, axis);
    const std::int64_t block = part.shape[static_cast<std::size_t>(axis)] * split.inner;
    const Region inWhole {whole, begin * split.inner, {split.size * split.inner, 1}};
    const Region inPart {part, 0, {block, 1}};
    return intoWhole ? copyRegion(call, inPart, inWhole, {split.outer, block})
                     : copyRegion(call, inWhole, inPart, {split.outer, block});
}

Status concat(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, call.inputCount()));
    PLIMSOLL_ASSIGN(y, call.plannedOutput(0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 1), y.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        const TensorView part = call.input(i).tensor;
        Shape expected = y.shape;
        if (part.shape.size() == expected.size()) expected[at] = part.shape[at];
        if (part.shape != expected || part.shape[at] > y.shape[at] - begin)
            return decline(call, say("cuda.part-misfit"));
        PLIMSOLL_TRY(copyPart(call, y, part, axis, begin, true));
        begin += part.shape[at];
    }
    return begin == y.shape[at] ? Status() : decline(call, say("cuda.parts-not-fill"));
}

Status split(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < call.node().outputs.size(); ++i) {
        if (!call.wantsOutput(i)) return decline(call, say("cuda.unknown-unnamed-part"));
        PLIMSOLL_ASSIGN(part, call.plannedOutput(i));
        if (part.shape.size() != x.shape.size() || part.shape[at] > x.shape[at] - begin)
            return decline(call, say("cuda.part-misfit"));
        PLIMSOLL_TRY(copyPart(call, x, part, axis, begin, false));
        begin += part.shape[at];
    }
    return {};
}

Status slice(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    for (std::size_t i = 1; i <= 4; ++i)
        PLIMSOLL_TRY(call.readOnHost(i));
    PLIMSOLL_ASSIGN(cuts, sliceCuts(call, x));
    const CutBlock block = cutBlock(cuts, x.shape);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, block.shape));
    return copyRegion(call, {x, block.offset, block.strides}, {y, 0, rowMajorStrides(block.shape)}, block.shape);
}

Status expand(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(y, call.plannedOutput(0));
    if (broadcastShape(x.shape, y.shape) != y.shape) return decline(call, say("cuda.output-repeats-other"));
    return copyRegion(call, {x, 0, broadcastStrides(x.shape, y.shape)}, {y, 0, rowMajorStrides(y.shape)}, y.shape);
}

Status tile(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(y, call.plannedOutput(0));
    const Shape dense = rowMajorStrides(x.shape);
    if (x.shape.size() != y.shape.size()) return decline(call, say("cuda.output-rank"));
    Shape block; // [repeat, size] for each dimension
    Shape strides;
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
        if (x.shape[d] < 1 || y.shape[d] % x.shape[d] != 0) return decline(call, say("cuda.output-repeats-other"));
        block.insert(block.end(), {y.shape[d] / x.shape[d], x.shape[d]});
        strides.insert(strides.end(), {0, dense[d]});
    }
    return copyRegion(call, {x, 0, strides}, {y, 0, rowMajorStrides(block)}, block);
}

/// Each element looks up where it comes from, dimension by dimension.
template <typename T>
struct PadBody
{
    const T* x;
    T* y;
    const T* constant; ///< Absent: zero.
    int rank;
    PadMode mode;
    Divisor sizes[MaxRank];        ///< Of the output, innermost first.
    std::int64_t strides[MaxRank]; ///< Of the input.
    std::int64_t before[MaxRank];  ///< Elements in front of what is kept of the input.
    std::int64_t cut[MaxRank];     ///< Elements cut off at its beginning.
    std::int64_t kept[MaxRank];    ///< Elements kept of it.

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        std::int64_t from = 0;
        for (int d = 0; d < rank; ++d) {
            const std::int64_t at = continuedPlace(mode, i % sizes[d] - before[d], kept[d]);
            if (at < 0) return constant ? *constant : T {};
            from += (at + cut[d]) * strides[d];
            i = i / sizes[d];
        }
        return x[from];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

template <typename T>
void launchPad(DeviceCall& call, const TensorView& x, const TensorView& y, PadMode mode,
               const std::vector<std::pair<std::int64_t, std::int64_t>>& pads)
{
    const TensorView* constant = optionalInput(call, 2);
    PadBody<T> body {x.as<const T>(),
                     y.as<T>(),
                     constant && constant->elements() > 0 ? constant->as<const T>() : nullptr,
                     narrow<int>(x.shape.size()),
                     mode,
                     {},
                     {},
                     {},
                     {},
                     {}};
    const Shape dense = rowMajorStrides(x.shape);
    for (std::size_t back = 0; back < x.shape.size(); ++back) {
        const std::size_t d = x.shape.size() - 1 - back;
        const auto [begin, end] = pads[d];
        body.sizes[back] = Divisor(y.shape[d], y.elements());
        body.strides[back] = dense[d];
        body.before[back] = std::max<std::int64_t>(begin, 0);
        body.cut[back] = std::max<std::int64_t>(-begin, 0);
        body.kept[back] = std::max<std::int64_t>(x.shape[d] - body.cut[back] - std::max<std::int64_t>(-end, 0), 0);
    }
    forEach(call.queue(), y.elements(), body);
}

Status pad(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(call.readOnHost(1));
    PLIMSOLL_TRY(call.readOnHost(3));
    PLIMSOLL_ASSIGN(pads, padsOf(call, x));
    PLIMSOLL_ASSIGN(mode, padMode(call));
    const TensorView* constant = optionalInput(call, 2);
    if (!isMovable(x.dtype) || (constant && constant->dtype != x.dtype)) return declineType(call, x.dtype);
    if (hasAttribute(call, "value") || x.shape.size() > MaxRank) return decline(call, say("cuda.attribute-constant"));
    Shape shape;
    for (std::size_t d = 0; d < pads.size(); ++d)
        shape.push_back(x.shape[d] + pads[d].first + pads[d].second);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    visitWidth(x.dtype, [&]<typename T>() { launchPad<T>(call, x, y, mode, pads); });
    return {};
}

Status constantOfShape(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(y, call.plannedOutput(0));
    if (!isMovable(y.dtype)) return declineType(call, y.dtype);
    const auto* literal = findAttribute<TensorLiteral>(call.node(), "value");
    if (!literal) {
        fillElements(call.queue(), y, 0.0);
        return {};
    }
    PLIMSOLL_ASSIGN(value, call.literal(*literal));
    if (value.elements() < 1 || value.dtype != y.dtype) return decline(call, say("cuda.value-misfit"));
    fillElements(call.queue(), y, value.data);
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Concat", "copy", concat},
    {"", "ConstantOfShape", "fill", constantOfShape},
    {"", "DepthToSpace", "copy", blocks<depthToSpaceView>},
    {"", "Expand", "copy", expand},
    {"", "Flatten", "copy", reshaped},
    {"", "Identity", "copy", reshaped},
    {"", "Pad", "copy", pad},
    {"", "Reshape", "copy", reshaped},
    {"", "Slice", "copy", slice},
    {"", "SpaceToDepth", "copy", blocks<spaceToDepthView>},
    {"", "Split", "copy", split},
    {"", "Squeeze", "copy", reshaped},
    {"", "Tile", "copy", tile},
    {"", "Transpose", "copy", transpose},
    {"", "Unsqueeze", "copy", reshaped},
    {"plimsoll", "Detach", "copy", reshaped},
};

} // namespace

constinit const DeviceTable movementKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
