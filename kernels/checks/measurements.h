#pragma once

#include "core/plan/policies.h"
#include "kernels/cuda/device/cuda_measure.h"
#include "kernels/device.h"

#include <string>
#include <vector>

namespace plimsoll::kernels {

/// What a device holds around the statement z = ((x + 2) * m).sum() with x of 2,400 and m of 12 bytes, whose gradient
/// is wanted for x alone. Each tensor has a block of its own, from its node to its last reader, in pieces of 512 bytes.
struct SavedMemory
{
    std::int64_t beforeBytes = 0; ///< x, m, and an earlier z.
    std::int64_t peakBytes = 0;   ///< Temporary bytes of kernels aside.
    std::int64_t afterBytes = 0;  ///< z in the place of the earlier one, and what backward nodes have yet to read.
};
[[nodiscard]] Result<SavedMemory> measureSavedMemory(Device& device, SavedPolicy saved);

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

/// Of the square matrices that are multiplied on a device.
inline constexpr std::int64_t ProductSide = 4096;

/// How long one kernel takes on a device, beside what it cannot go below.
struct Timing
{
    std::string name; ///< "Add float32[16777216] float32[16777216]"
    std::string kernel;
    double ms = 0;         ///< Of one run, the mean of many behind one another.
    double bytes = 0;      ///< Of its tensors, each once.
    double operations = 0; ///< Of a product or a convolution: multiplications and additions.
    bool isProduct = false;
};

/// Elementwise kernels, copies, reductions, products and convolutions on tensors that fill a large device. \p scale
/// divides their first dimension: 1 for a device, more where the host stands in for one.
[[nodiscard]] Result<std::vector<Timing>> timeKernels(Device& device, std::int64_t scale);

} // namespace plimsoll::kernels
