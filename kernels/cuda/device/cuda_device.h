#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// One CUDA device, as the runtime describes it.
struct CudaDevice
{
    std::string name;
    int computeCapability = 0; ///< 90 for 9.0
    std::int64_t memoryBytes = 0;
};

/// The devices of this machine. Unsupported, with the reason in one line, where this build has no CUDA, or the machine
/// no driver or no device. Never loads libcuda: the static runtime answers for an absent driver.
[[nodiscard]] Result<std::vector<CudaDevice>> findCudaDevices();

/// The version of cuBLAS, or why products cannot go through it: no device, no such library.
[[nodiscard]] Result<std::string> findCublas();

} // namespace plimsoll::kernels
