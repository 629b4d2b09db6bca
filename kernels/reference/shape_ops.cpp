#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/movement.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

Status reshape(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const auto wanted = intsInputOrAttribute(call, 1, "shape");
    if (!wanted) return refuse(call, say("kernel.no-shape"));
    const bool allowZero = intAttribute(call, "allowzero", 0) != 0;
    Shape shape = *wanted;
    std::int64_t known = 1;
    std::optional<std::size_t> open;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 0 && !allowZero) shape[d] = d < x.shape.size() ? x.shape[d] : -1;
        if (shape[d] < -1 || (shape[d] == -1 && open))
            return refuse(call, say("kernel.open-dimensions", plimsoll::describe(shape)));
        if (shape[d] == -1)
            open = d;
        else if (__builtin_mul_overflow(known, shape[d], &known))
            return refuse(call, say("kernel.shape-too-large", plimsoll::describe(shape)));
    }
    if (open) {
        if (known == 0 ? x.elements() != 0 : x.elements() % known != 0)
            return refuse(call, say("kernel.reshape-misfit", describe(x), plimsoll::describe(shape)));
        shape[*open] = known == 0 ? 0 : x.elements() / known;
    }
    return writeReshaped(call, 0, x, shape);
}

Status flatten(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const auto rank = static_cast<std::int64_t>(x.shape.size());
    const std::int64_t given = intAttribute(call, "axis", 1);
    const std::int64_t axis = given < 0 ? given + rank : given;
    if (axis < 0 || axis > rank) return refuse(call, say("kernel.axis-outside", word::Number(given), describe(x)));
    const auto at = static_cast<std::size_t>(axis);
    return writeReshaped(call, 0, x, {productOf(x.shape, 0, at), productOf(x.shape, at, x.shape.size())});
}

Status squeeze(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const auto axes = intsInputOrAttribute(call, 1, "axes");
    std::vector<bool> drop(x.shape.size());
    if (axes) {
        PLIMSOLL_ASSIGN(mask, axisMask(call, *axes, x.shape.size()));
        drop = mask;
    } else {
        std::transform(x.shape.begin(), x.shape.end(), drop.begin(), [](std::int64_t size) { return size == 1; });
    }
    Shape shape;
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
        if (!drop[d]) shape.push_back(x.shape[d]);
    }
    return writeReshaped(call, 0, x, shape);
}

Status unsqueeze(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const auto axes = intsInputOrAttribute(call, 1, "axes");
    if (!axes) return refuse(call, say("kernel.no-axes"));
    const std::size_t rank = x.shape.size() + axes->size();
    PLIMSOLL_ASSIGN(added, axisMask(call, *axes, rank));
    if (std::count(added.begin(), added.end(), true) != static_cast<std::ptrdiff_t>(axes->size())) {
        return refuse(call, say("kernel.axis-twice", plimsoll::describe(*axes)));
    }
    Shape shape(rank, 1);
    for (std::size_t d = 0, next = 0; d < rank; ++d) {
        if (!added[d]) shape[d] = x.shape[next++];
    }
    return writeReshaped(call, 0, x, shape);
}

Status identity(KernelCall& call)
{
    const RuntimeValue& value = call.input(0);
    if (value.kind != RuntimeValue::Kind::Tensor) return call.setOutput(0, value);
    return writeReshaped(call, 0, value.tensor, value.tensor.shape);
}

Status expand(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(wanted, inputTensor(call, 1));
    const auto shape = broadcastShape(x.shape, integersOf(wanted));
    if (!shape) return refuse(call, say("ops.not-broadcast", describe(x), plimsoll::describe(integersOf(wanted))));
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, *shape));
    copyRegion({x, 0, broadcastStrides(x.shape, *shape)}, {out, 0, rowMajorStrides(*shape)}, *shape);
    return {};
}

Status tile(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(tensor, inputTensor(call, 1));
    std::vector<std::int64_t> repeats = integersOf(tensor);
    if (optionalInput(call, 2)) { // opset 1 repeats one axis; since 6 there is a number for each
        PLIMSOLL_ASSIGN(axis, normalAxis(call, intInput(call, 2, 0), x.shape.size()));
        const std::int64_t times = repeats.empty() ? 1 : repeats.front();
        repeats.assign(x.shape.size(), 1);
        repeats[static_cast<std::size_t>(axis)] = times;
    }
    const bool negative = std::any_of(repeats.begin(), repeats.end(), [](std::int64_t r) { return r < 0; });
    if (repeats.size() != x.shape.size() || negative)
        return refuse(call, say("kernel.repeat-misfit", plimsoll::describe(repeats), describe(x)));
    Shape shape;
    Shape block; // [repeat, size] for each dimension
    Shape readStrides;
    const Shape strides = rowMajorStrides(x.shape);
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
        std::int64_t size = 0;
        if (__builtin_mul_overflow(x.shape[d], repeats[d], &size)) return refuse(call, say("kernel.outcome-too-large"));
        shape.push_back(size);
        block.insert(block.end(), {repeats[d], x.shape[d]});
        readStrides.insert(readStrides.end(), {0, strides[d]});
    }
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, shape));
    copyRegion({x, 0, readStrides}, {out, 0, rowMajorStrides(block)}, block);
    return {};
}

Status shapeOf(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const auto rank = static_cast<std::int64_t>(x.shape.size());
    const auto place = [rank](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
    const std::int64_t begin = place(intAttribute(call, "start", 0));
    const std::int64_t end = std::max(place(intAttribute(call, "end", rank)), begin);
    return writeIntegers(
        call, 0, DType::Int64, {end - begin},
        {x.shape.begin() + static_cast<std::ptrdiff_t>(begin), x.shape.begin() + static_cast<std::ptrdiff_t>(end)});
}

Status sizeOf(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    return writeIntegers(call, 0, DType::Int64, {}, {x.elements()});
}

Status slice(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(cuts, sliceCuts(call, x));
    const CutBlock block = cutBlock(cuts, x.shape);
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, block.shape));
    copyRegion({x, block.offset, block.strides}, {out, 0, rowMajorStrides(block.shape)}, block.shape);
    return {};
}

Status permute(KernelCall& call, const TensorView& x, const PermutedView& view, const Shape& outShape)
{
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, outShape));
    const Shape block = view.permuted();
    copyRegion({x, 0, view.strides()}, {out, 0, rowMajorStrides(block)}, block);
    return {};
}

Status transpose(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(permutation, permutationOf(call, x));
    const PermutedView view {x.shape, permutation};
    return permute(call, x, view, view.permuted());
}

Status depthToSpace(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(view, depthToSpaceView(call, x.shape));
    const std::int64_t b = intAttribute(call, "blocksize", 0);
    return permute(call, x, view, {x.shape[0], x.shape[1] / (b * b), x.shape[2] * b, x.shape[3] * b});
}

Status spaceToDepth(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(view, spaceToDepthView(call, x.shape));
    const std::int64_t b = intAttribute(call, "blocksize", 0);
    std::int64_t depth = 0;
    if (__builtin_mul_overflow(x.shape[1], b, &depth) || __builtin_mul_overflow(depth, b, &depth))
        return refuse(call, say("kernel.outcome-too-large"));
    return permute(call, x, view, {x.shape[0], depth, x.shape[2] / b, x.shape[3] / b});
}

constexpr KernelEntry ShapeKernels[] = {
    {"", "DepthToSpace", depthToSpace},
    {"", "DynamicSlice", slice},
    {"", "Expand", expand},
    {"", "Flatten", flatten},
    {"", "Identity", identity},
    {"", "Reshape", reshape},
    {"", "Shape", shapeOf},
    {"", "Size", sizeOf},
    {"", "Slice", slice},
    {"", "SpaceToDepth", spaceToDepth},
    {"", "Squeeze", squeeze},
    {"", "Tile", tile},
    {"", "Transpose", transpose},
    {"", "Unsqueeze", unsqueeze},
};

} // namespace

constinit const KernelTable shapeKernels = ShapeKernels;

} // namespace plimsoll::kernels
