#include "kernels/cuda/families.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

std::vector<const DeviceKernel*> findKernels(const Node& node)
{
    std::vector<const DeviceKernel*> found;
    for (const DeviceTable table : {unaryKernels(), pairKernels(), selectKernels()}) {
        for (const DeviceKernel& kernel : table) {
            if (kernel.op == node.op && kernel.domain == node.domain) found.push_back(&kernel);
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
