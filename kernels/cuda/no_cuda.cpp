#include "kernels/cuda/cuda.h"
#include "kernels/cuda/cuda_device.h"

namespace plimsoll::kernels {
namespace {

Error noCompiler()
{
    return {ErrorCode::Unsupported, "CUDA cannot run here: this build was made without a CUDA compiler", {}, {}};
}

} // namespace

Result<std::vector<CudaDevice>> findCudaDevices()
{
    return noCompiler();
}

Result<std::unique_ptr<Device>> openCudaDevice(int /*index*/)
{
    return noCompiler();
}

} // namespace plimsoll::kernels
