#pragma once

#include "core/advice/bisect.h"
#include "core/facts/report.h"

namespace plimsoll {

/// "'a' and 'c' meet in [32, 64) of arena cpu: 'y' at node 'n3', step 3: 4 of 4 elements differ, …"
[[nodiscard]] Message culpritText(const PlannedProgram& program, const Culprit& culprit);

/// "1 culprit found by 9 runs over 12 sharings."
[[nodiscard]] Message outcomeText(const Bisection& found);

/// What runs of the plan have shown stands among its findings, in front of those of the judge: what \p bisected names,
/// if there is such a thing, then the mismatches of the run, if it was run. Each names the spoiled value first, then
/// the one that spoils.
void addRunFindings(Report& report, const Bisection* bisected = nullptr);

} // namespace plimsoll
