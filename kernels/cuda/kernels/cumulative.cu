#include "kernels/cuda/kernels/cumulative.h"

#include "kernels/cuda/cuda_families.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

Status cumSum(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(call.readOnHost(1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intInput(call, 1, 0), x.shape.size()));
    if (!isAmong<float, std::int64_t, std::int32_t>(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    visitAmong<float, std::int64_t, std::int32_t>(x.dtype, [&]<typename T>() {
        sumAlong<T>(call.queue(), splitAt(x.shape, axis), x.as<const T>(), y.as<T>(),
                    intAttribute(call, "exclusive", 0) != 0, intAttribute(call, "reverse", 0) != 0);
    });
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "CumSum", "scan", cumSum},
};

} // namespace

constinit const DeviceTable cumulativeKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
