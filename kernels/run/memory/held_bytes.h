#pragma once

#include "core/plan/program.h"
#include "core/plan/run_result.h"
#include "kernels/run/memory/arena_memory.h"
#include "kernels/run/world.h"

#include <vector>

namespace plimsoll::kernels {

/// What every device of a run holds at each step, beside what its plan asks for. The oracle's blocks are counted apart.
class HeldBytes
{
public:
    HeldBytes(const PlannedProgram& program, const ArenaMemory& memory);

    void note(std::int64_t step, const OracleWorld& oracle); ///< At the end of a step.
    [[nodiscard]] const std::vector<RunResult::Held>& bySpace() const { return m_held; }

private:
    std::vector<Device*> m_devices; ///< As in \c m_held.
    std::vector<RunResult::Held> m_held;
};

} // namespace plimsoll::kernels
