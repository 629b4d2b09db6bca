#include "kernels/common/movement.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

namespace plimsoll::kernels {
namespace {

Status slice(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(cuts, sliceCuts(call, x));
    const CutBlock block = cutBlock(cuts, x.shape);
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, block.shape));
    copyRegion({x, block.offset, block.strides}, {out, 0, rowMajorStrides(block.shape)}, block.shape);
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "Slice", slice},
    {"", "DynamicSlice", slice},
};

} // namespace

constinit const KernelTable sliceKernels = Table;

} // namespace plimsoll::kernels
