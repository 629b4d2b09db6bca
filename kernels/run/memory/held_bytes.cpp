#include "kernels/run/memory/held_bytes.h"

#include <algorithm>

namespace plimsoll::kernels {

HeldBytes::HeldBytes(const PlannedProgram& program, const ArenaMemory& memory)
{
    for (const auto& [space, reserved] : memory.reserved()) {
        RunResult::Held held {space, 0, reserved.bytes, reserved.before, 0, {}};
        for (const PlannedArena& arena : program.map.arenas)
            held.plannedBytes += arena.space == space ? arena.bytes : 0;
        held.steps.resize(static_cast<std::size_t>(program.schedule.length()), 0);
        m_held.push_back(std::move(held));
        m_devices.push_back(reserved.device);
    }
}

void HeldBytes::note(std::int64_t step, const OracleWorld& oracle)
{
    for (std::size_t i = 0; i < m_held.size(); ++i) {
        const std::int64_t beside = oracle.heldOn(*m_devices[i]);
        std::int64_t& most = m_held[i].steps[static_cast<std::size_t>(step)];
        most = std::max(most, m_devices[i]->heldBytes() - beside);
        m_held[i].oracleBytes = std::max(m_held[i].oracleBytes, beside);
    }
}

} // namespace plimsoll::kernels
