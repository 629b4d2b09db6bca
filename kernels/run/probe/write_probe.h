#pragma once

#include "core/base/progress.h"
#include "core/plan/program.h"
#include "core/plan/run_result.h"
#include "kernels/run/memory/run_memory.h"

#include <vector>

namespace plimsoll::kernels {

/// Writes through every handle of the program in turn, into what the run has left in \p planned, and notes what all
/// others show then. Handle k is filled with the number k, or the next that it does not hold. Stopped on request.
[[nodiscard]] Result<WriteProbe> probeWrites(const PlannedProgram& program, const Memory& planned,
                                             const Context& context);

/// Notes which outputs of a second run over the same bytes are not what the first one made. By output position.
void compareRuns(const PlannedProgram& program, const std::vector<RuntimeValue>& first,
                 const std::vector<RuntimeValue>& second, WriteProbe& probe);

/// What in the probe contradicts the plan: changes that it did not predict, outputs that were not refreshed.
[[nodiscard]] std::vector<RunResult::Mismatch> contradictions(const PlannedProgram& program, const WriteProbe& probe);

} // namespace plimsoll::kernels
