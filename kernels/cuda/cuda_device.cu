#include "kernels/cuda/cuda_device.h"

#include <cuda_runtime_api.h>

namespace plimsoll::kernels {
namespace {

Error unsupported(cudaError_t status)
{
    return Error {ErrorCode::Unsupported, std::string("CUDA cannot run here: ") + cudaGetErrorString(status), {}, {}};
}

} // namespace

Result<std::vector<CudaDevice>> findCudaDevices()
{
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess) return unsupported(status);
    std::vector<CudaDevice> devices;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties {};
        if (const cudaError_t status = cudaGetDeviceProperties(&properties, i); status != cudaSuccess)
            return unsupported(status);
        devices.push_back({properties.name, properties.major * 10 + properties.minor,
                           static_cast<std::int64_t>(properties.totalGlobalMem)});
    }
    return devices;
}

} // namespace plimsoll::kernels
