#pragma once

#include "kernels/cuda/device/cuda_measure.h"

namespace plimsoll::kernels {

/// The tensors of a residual network as they come and go, and the arena that its plan needs.
struct AllocationTrace
{
    std::vector<AllocationEvent> events;
    std::int64_t arenaBytes = 0;
    std::int64_t lowerBoundBytes = 0;
};
[[nodiscard]] Result<AllocationTrace> residualTrace(std::int64_t batch);

/// That network's memory in three ways, on the first device.
[[nodiscard]] Result<std::vector<AllocationTiming>> timeAllocations();

} // namespace plimsoll::kernels
