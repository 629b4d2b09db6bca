#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/movement.h"
#include "kernels/reference/kernel_families.h"

namespace plimsoll::kernels {

namespace {

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
        return refuse(call, "the outcome is too large.");
    return permute(call, x, view, {x.shape[0], depth, x.shape[2] / b, x.shape[3] / b});
}

constexpr KernelEntry Table[] = {
    {"", "DepthToSpace", depthToSpace},
    {"", "SpaceToDepth", spaceToDepth},
    {"", "Transpose", transpose},
};

} // namespace

constinit const KernelTable transposeKernels = Table;

} // namespace plimsoll::kernels
