#pragma once

#include "core/plan/run_result.h"
#include "core/plan/saved_tensor.h"
#include "kernels/run/memory/bound_handles.h"

#include <set>
#include <span>

namespace plimsoll::kernels {

/// Writes of a caller through the outputs of the forward graph, between forward and backward.
class BetweenProbe
{
public:
    /// \p saved is what the backward graph reads of the forward graph.
    BetweenProbe(const PlannedProgram& program, std::span<const SavedReport> saved);

    /// Writes through every output that is there and was not written yet. An output that the backward graph reads
    /// under its own name is only written where outputs are shared without a guard.
    void write(const Memory& planned);

    /// After the run: the gradients against those of a run without writes.
    [[nodiscard]] WriteProbe::Between judge(const std::vector<RuntimeValue>& plain,
                                            const std::vector<RuntimeValue>& written) &&;

private:
    [[nodiscard]] ProbeWrite writeOne(BoundHandles& handles, std::size_t index) const;
    [[nodiscard]] NodeId readerOf(ValueId output) const;

    const PlannedProgram& m_program;
    std::span<const SavedReport> m_saved;
    std::set<std::size_t> m_done;
    WriteProbe::Between m_result;
};

/// What is wrong by the policy: gradients that became others.
[[nodiscard]] std::vector<RunResult::Mismatch> contradictions(const PlannedProgram& program,
                                                              const WriteProbe::Between& between);

} // namespace plimsoll::kernels
