#pragma once

#include "core/base/interval.h"
#include "core/plan/program.h"
#include "core/plan/run_result.h"
#include "kernels/run/memory/arena_memory.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace plimsoll::kernels {

class OracleMemory;

/// How much of the arenas holds something at each step of a run, in the accounting of peakBytes: what has been written
/// and is still held, and the temporary bytes of the step. Bytes that several values share count once.
class BytesInUse
{
public:
    explicit BytesInUse(const PlannedProgram& program);

    void begins(ValueId value); ///< It is being written.
    void ends(ValueId value);   ///< Nothing reads it any more.
    /// The node at this step has run.
    void note(std::int64_t step, NodeId node);

    /// By memory space and step; of several iterations of a loop the most.
    [[nodiscard]] const std::map<std::string, std::vector<std::int64_t>>& bySpace() const { return m_bySpace; }

private:
    [[nodiscard]] Interval bytesOf(const ValuePlacement& where) const;

    const PlannedProgram& m_program;
    std::set<ValueId> m_held;
    std::vector<ValuePlacement> m_scratch; ///< By NodeId.
    std::map<std::string, std::vector<std::int64_t>> m_bySpace;
};

/// What every device of a run holds at each step, beside what its plan asks for. The oracle's blocks are counted apart.
class HeldBytes
{
public:
    HeldBytes(const PlannedProgram& program, const ArenaMemory& arenas);

    void note(std::int64_t step, const OracleMemory& oracle); ///< At the end of a step.
    [[nodiscard]] const std::vector<RunResult::Held>& bySpace() const { return m_held; }

private:
    std::vector<const ArenaMemory::Reserved*> m_devices; ///< As in \c m_held.
    std::vector<RunResult::Held> m_held;
};

} // namespace plimsoll::kernels
