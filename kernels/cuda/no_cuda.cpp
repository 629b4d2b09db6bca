#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/cuda_measure.h"

namespace plimsoll::kernels {
namespace {

Error noCompiler()
{
    return {ErrorCode::Unsupported, "CUDA cannot run here: this build was made without a CUDA compiler.", {}, {}};
}

} // namespace

Result<std::vector<CudaDevice>> findCudaDevices()
{
    return noCompiler();
}

Result<std::string> findCublas()
{
    return noCompiler();
}

Result<std::unique_ptr<Device>> openCudaDevice(int /*index*/)
{
    return noCompiler();
}

Result<double> measureCopyBytesPerSecond(int /*device*/)
{
    return noCompiler();
}

Result<double> measureLibraryProduct(int /*device*/, std::int64_t /*side*/)
{
    return noCompiler();
}

Result<std::vector<AllocationTiming>> measureAllocations(int /*device*/, const std::vector<AllocationEvent>& /*events*/,
                                                         std::int64_t /*arenaBytes*/)
{
    return noCompiler();
}

} // namespace plimsoll::kernels
