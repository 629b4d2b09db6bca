#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// What copies within a device reach: bytes read and written in a second, of a large block, by the driver's own copy.
[[nodiscard]] Result<double> measureCopyBytesPerSecond(int device);

/// Milliseconds of one product of square float32 matrices by cuBLAS, with nothing of ours around it.
[[nodiscard]] Result<double> measureLibraryProduct(int device, std::int64_t side);

/// A tensor that comes into being, or goes; in the order of a run.
struct AllocationEvent
{
    int tensor = 0;
    bool begins = false;
    std::int64_t bytes = 0;
};

/// One way to give a run its memory.
struct AllocationTiming
{
    std::string way;             ///< "cudaMalloc for each tensor", "cudaMallocAsync", "one arena"
    double ms = 0;               ///< Of one run, the mean of several.
    std::int64_t askedBytes = 0; ///< At most.
    std::int64_t peakBytes = 0;  ///< That the device had less of at most, as its driver says.
};

/// The same run in three ways, without its kernels: each tensor for itself, from the driver's pool, and all in one
/// block of \p arenaBytes at offsets that were planned.
[[nodiscard]] Result<std::vector<AllocationTiming>> measureAllocations(int device,
                                                                       const std::vector<AllocationEvent>& events,
                                                                       std::int64_t arenaBytes);

} // namespace plimsoll::kernels
