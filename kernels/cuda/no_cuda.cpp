#include "kernels/cuda/cuda_device.h"

namespace plimsoll::kernels {

Result<std::vector<CudaDevice>> findCudaDevices()
{
    return Error {ErrorCode::Unsupported, "CUDA cannot run here: this build was made without a CUDA compiler", {}, {}};
}

} // namespace plimsoll::kernels
