#include "core/ops/counterparts.h"
#include "core/ops/saving.h"
#include "kernels/cuda/cuda_families.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// Backward nodes carry their formulas, so that one kernel, which names no operator, computes all of them.
/// Operators of MXNet that say the same as one of ONNX are computed by its kernels. Operators
/// that write their first input have an underscore behind their name and compute what those without it do.
bool computes(const DeviceKernel& kernel, const Node& node)
{
    if (kernel.domain == node.domain && (kernel.op == node.op || kernel.op.empty())) return true;
    if (kernel.domain.empty() && kernel.op == plainCounterpart(node)) return true;
    const bool writesInput = node.domain == "plimsoll" && node.op->ends_with('_') && kernel.name == "elementwise";
    return writesInput && kernel.domain.empty() && node.op->substr(0, node.op->size() - 1) == kernel.op;
}

} // namespace

std::vector<const DeviceKernel*> findKernels(const Node& node)
{
    std::vector<const DeviceKernel*> found;
    for (const DeviceTable table : {convolutionKernels, dropoutKernels, gatherKernels, gradientKernels, lossKernels,
                                    matmulKernels, movementKernels, pairKernels, poolingKernels, recurrentKernels,
                                    reduceKernels, resizeKernels, rowKernels, selectKernels, unaryKernels}) {
        for (const DeviceKernel& kernel : table) {
            if (computes(kernel, node)) found.push_back(&kernel);
        }
    }
    return found;
}

const DeviceKernel* findKernel(const Node& node, std::string_view name)
{
    for (const DeviceKernel* kernel : findKernels(node)) {
        if (kernel->name == name) return kernel;
    }
    return nullptr;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
