#pragma once

#include "core/base/progress.h"
#include "core/facts/report.h"
#include "kernels/run/world.h"

#include <vector>

namespace plimsoll::kernels {

/// Writes through every handle of the report in turn, into what the run has left in \p planned, and notes what all
/// others show then. Handle k is filled with the number k, or the next that it does not hold. Stopped on request.
[[nodiscard]] Result<WriteProbe> probeWrites(const Report& report, const World& planned, const Context& context);

/// Notes which outputs of a second run over the same bytes are not what the first one made. By output position.
void compareRuns(const Report& report, const std::vector<RuntimeValue>& first, const std::vector<RuntimeValue>& second,
                 WriteProbe& probe);

/// What in the probe contradicts the plan: changes that it did not predict, outputs that were not refreshed.
[[nodiscard]] std::vector<RunResult::Mismatch> contradictions(const Report& report, const WriteProbe& probe);

} // namespace plimsoll::kernels
