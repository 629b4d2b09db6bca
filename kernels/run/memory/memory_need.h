#pragma once

#include "core/plan/program.h"
#include "kernels/run/device/device_spaces.h"

#include <cstdint>

namespace plimsoll::kernels {

/// What a run takes of the host's memory, as far as sizes are known before it.
struct MemoryNeed
{
    std::int64_t arenaBytes = 0;
    std::int64_t oracleBytes = 0;   ///< The most that is alive at a step, each value in memory of its own.
    std::int64_t externalBytes = 0; ///< Inputs that are drawn and data that is read from files.
};
[[nodiscard]] MemoryNeed memoryNeed(const PlannedProgram& program, const DeviceSpaces& spaces);

/// Refuses a run for which there is not enough memory before it takes any (Unsupported). \p free is freeMemory();
/// \p allowed is what the run may take by its options.
[[nodiscard]] Status checkMemory(const MemoryNeed& need, std::int64_t free, std::int64_t allowed);

} // namespace plimsoll::kernels
