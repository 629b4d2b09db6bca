#include "kernels/cuda/kernels/fill.h"

#include "kernels/cuda/cuda_families.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

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
    if (value.elements() < 1 || value.dtype != y.dtype) return decline(call, "its value is no element of its output");
    fillElements(call.queue(), y, value.data);
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "ConstantOfShape", "fill", constantOfShape},
};

} // namespace

constinit const DeviceTable fillKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
