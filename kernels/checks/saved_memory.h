#pragma once

#include "core/plan/policies.h"
#include "kernels/device.h"

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

} // namespace plimsoll::kernels
