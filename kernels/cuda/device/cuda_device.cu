#include "kernels/cuda/device/cuda_device.h"

#include <cuda_runtime_api.h>

namespace plimsoll::kernels {
namespace {

Error unsupported(cudaError_t status)
{
    // The runtime calls an absent driver one that is too old; its version tells the two apart.
    int version = 0;
    const bool hasNoDriver =
        status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&version) == cudaSuccess && version == 0;
    const char* why = hasNoDriver ? "this machine has no CUDA driver" : cudaGetErrorString(status);
    return Error {ErrorCode::Unsupported, say("device.no-cuda", why), {}, {}};
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
