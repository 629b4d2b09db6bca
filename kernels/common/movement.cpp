#include "kernels/common/movement.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace plimsoll::kernels {
namespace {

SliceCut cutOf(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size)
{
    const auto place = [size](std::int64_t at, std::int64_t low, std::int64_t high) {
        return std::clamp(at < 0 ? std::max(at, -size - 1) + size : at, low, high);
    };
    const std::int64_t begin = step > 0 ? place(start, 0, size) : place(start, -1, size - 1);
    const std::int64_t stop = step > 0 ? place(end, 0, size) : place(end, -1, size - 1);
    if (step > 0) return {begin, step, stop > begin ? (stop - begin - 1) / step + 1 : 0};
    const std::int64_t back = step == std::numeric_limits<std::int64_t>::min() ? -(step + 1) : -step;
    return {begin, -back, begin > stop ? (begin - stop - 1) / back + 1 : 0};
}

} // namespace

Result<std::vector<SliceCut>> sliceCuts(const KernelCall& call, const TensorView& x)
{
    const auto starts = intsInputOrAttribute(call, 1, "starts");
    const auto ends = intsInputOrAttribute(call, 2, "ends");
    if (!starts || !ends || starts->size() != ends->size()) return refuse(call, say("kernel.slice-ends"));
    std::vector<std::int64_t> axes(starts->size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    axes = intsInputOrAttribute(call, 3, "axes").value_or(axes);
    const auto steps = intsInputOrAttribute(call, 4, "steps").value_or(std::vector<std::int64_t>(starts->size(), 1));
    if (axes.size() != starts->size() || steps.size() != starts->size()) {
        return refuse(call, say("kernel.slice-lengths"));
    }
    std::vector<SliceCut> cuts;
    for (const std::int64_t size : x.shape)
        cuts.push_back({0, 1, size});
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (steps[i] == 0) return refuse(call, say("kernel.zero-step"));
        PLIMSOLL_ASSIGN(axis, normalAxis(call, axes[i], x.shape.size()));
        const auto at = static_cast<std::size_t>(axis);
        cuts[at] = cutOf((*starts)[i], (*ends)[i], steps[i], x.shape[at]);
    }
    return cuts;
}

CutBlock cutBlock(const std::vector<SliceCut>& cuts, const Shape& whole)
{
    const Shape dense = rowMajorStrides(whole);
    CutBlock block;
    for (std::size_t d = 0; d < cuts.size(); ++d) {
        block.shape.push_back(cuts[d].count);
        block.strides.push_back(cuts[d].count > 1 ? dense[d] * cuts[d].step : 0);
        block.offset += cuts[d].count > 0 ? dense[d] * cuts[d].begin : 0;
    }
    return block;
}

Result<std::vector<std::pair<std::int64_t, std::int64_t>>> padsOf(const KernelCall& call, const TensorView& x)
{
    auto given = intsInputOrAttribute(call, 1, "pads");
    if (!given) given = intsAttribute(call, "paddings");
    std::vector<std::int64_t> axes(x.shape.size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    if (const TensorView* named = optionalInput(call, 3)) axes = integersOf(*named);
    if (!given || given->size() != 2 * axes.size()) return refuse(call, say("kernel.pad-count"));
    std::vector<std::pair<std::int64_t, std::int64_t>> pads(x.shape.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        PLIMSOLL_ASSIGN(axis, normalAxis(call, axes[i], x.shape.size()));
        pads[static_cast<std::size_t>(axis)] = {(*given)[i], (*given)[i + axes.size()]};
    }
    return pads;
}

Result<PadMode> padMode(const KernelCall& call)
{
    const std::string mode = textAttribute(call, "mode", "constant");
    if (mode == "constant") return PadMode::Constant;
    if (mode == "edge") return PadMode::Edge;
    if (mode == "wrap") return PadMode::Wrap;
    if (mode == "reflect") return PadMode::Reflect;
    return refuse(call, say("kernel.no-mode", mode));
}

Result<std::vector<bool>> reducedAxes(const KernelCall& call, std::size_t rank)
{
    const Shape axes = intsInputOrAttribute(call, 1, "axes").value_or(Shape());
    if (!axes.empty()) return axisMask(call, axes, rank);
    return std::vector<bool>(rank, intAttribute(call, "noop_with_empty_axes", 0) == 0);
}

Result<AxisSplit> softmaxSlices(const KernelCall& call, const Shape& shape)
{
    const bool joined = call.opset() > 0 && call.opset() < 13;
    const std::int64_t given = intAttribute(call, "axis", joined ? 1 : -1);
    if (joined && given == static_cast<std::int64_t>(shape.size())) return AxisSplit {productOf(shape), 1, 1};
    if (shape.empty()) return AxisSplit {1, 1, 1};
    PLIMSOLL_ASSIGN(axis, normalAxis(call, given, shape.size()));
    if (!joined) return splitAt(shape, axis);
    const auto at = static_cast<std::size_t>(axis);
    return AxisSplit {productOf(shape, 0, at), productOf(shape, at, shape.size()), 1};
}

Result<Shape> permutationOf(const KernelCall& call, const TensorView& x)
{
    Shape permutation(x.shape.size());
    std::iota(permutation.rbegin(), permutation.rend(), std::int64_t {0});
    permutation = intsAttribute(call, "perm").value_or(permutation);
    PLIMSOLL_ASSIGN(named, axisMask(call, permutation, x.shape.size()));
    if (permutation.size() != x.shape.size() || std::find(named.begin(), named.end(), false) != named.end()) {
        return refuse(call, say("kernel.permutation", plimsoll::describe(permutation), describe(x)));
    }
    for (std::int64_t& axis : permutation)
        axis += axis < 0 ? static_cast<std::int64_t>(x.shape.size()) : 0;
    return permutation;
}

Result<PermutedView> depthToSpaceView(const KernelCall& call, const Shape& x)
{
    const std::int64_t b = intAttribute(call, "blocksize", 0);
    if (x.size() != 4 || b < 1 || b > x[1] || x[1] % (b * b) != 0)
        return refuse(call, say("kernel.no-depth", plimsoll::describe(x), word::Number(b)));
    const std::int64_t depth = x[1] / (b * b);
    if (textAttribute(call, "mode", "DCR") == "CRD")
        return PermutedView {{x[0], depth, b, b, x[2], x[3]}, {0, 1, 4, 2, 5, 3}};
    return PermutedView {{x[0], b, b, depth, x[2], x[3]}, {0, 3, 4, 1, 5, 2}};
}

Result<PermutedView> spaceToDepthView(const KernelCall& call, const Shape& x)
{
    const std::int64_t b = intAttribute(call, "blocksize", 0);
    if (x.size() != 4 || b < 1 || x[2] % b != 0 || x[3] % b != 0)
        return refuse(call, say("kernel.not-blocks", plimsoll::describe(x), word::Number(b)));
    const bool channelFirst = textAttribute(call, "mode", "DCR") == "CRD";
    return PermutedView {{x[0], x[1], x[2] / b, b, x[3] / b, b},
                         channelFirst ? Shape {0, 1, 3, 5, 2, 4} : Shape {0, 3, 5, 1, 2, 4}};
}

} // namespace plimsoll::kernels
