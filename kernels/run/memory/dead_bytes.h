#pragma once

#include "core/plan/program.h"
#include "kernels/run/memory/arena_memory.h"

#include <vector>

namespace plimsoll::kernels {

/// Knows which storages die between two steps that are executed one after the other, and poisons their bytes. Going
/// by executed steps, not by numbers, keeps what lives on beyond a branch that was not taken, or on the way back to
/// the start of a loop. Bytes that a living storage holds too (in a plan that is wrong) are left as they are: what the
/// plan spoils is for the run to show.
class DeadBytes
{
public:
    explicit DeadBytes(const PlannedProgram& program);

    /// The run goes from step \p from (-1: nothing yet) to step \p to.
    void pass(std::int64_t from, std::int64_t to, ArenaMemory& memory) const;

private:
    [[nodiscard]] bool heldByLiving(const Storage& dead, std::int64_t step) const;
    void poison(StorageId storage, std::int64_t step, ArenaMemory& memory) const;

    const PlannedProgram& m_program;
    std::vector<std::vector<StorageId>> m_endingAt; ///< By step: storages with a live interval that ends there.
};

} // namespace plimsoll::kernels
