#include "kernels/cuda/cuda.h"
#include "kernels/cuda/device/cuda_device.h"
#include "kernels/cuda/device/cuda_measure.h"

namespace plimsoll::kernels {
namespace {

Error noKernels()
{
    return {ErrorCode::Unsupported, say("device.no-kernels"), {}, {}};
}

} // namespace

Result<std::vector<CudaDevice>> findCudaDevices()
{
    return noKernels();
}

Result<std::string> findCublas()
{
    return noKernels();
}

Result<std::unique_ptr<Device>> openCudaDevice(int /*index*/)
{
    return noKernels();
}

Result<double> measureCopyBytesPerSecond(int /*device*/)
{
    return noKernels();
}

Result<double> measureLibraryProduct(int /*device*/, std::int64_t /*side*/)
{
    return noKernels();
}

Result<std::vector<AllocationTiming>> measureAllocations(int /*device*/, const std::vector<AllocationEvent>& /*events*/,
                                                         std::int64_t /*arenaBytes*/)
{
    return noKernels();
}

} // namespace plimsoll::kernels
