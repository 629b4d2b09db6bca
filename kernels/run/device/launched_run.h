#pragma once

#include "kernels/run/device/lockstep.h"
#include "kernels/run/executor.h"

namespace plimsoll::kernels {

/// The plan as its device runs it, behind the run that was compared: every node handed to its stream, the events of the
/// plan between them, no wait before the end. In poisoned arenas, as often as is asked and once for each stream at
/// least; under replay=graph captured as well, and the graph replayed as often. What it took is noted in \p outcome,
/// and outputs that are not those of the compared run become mismatches.
///
/// Does nothing for a plan that computes on no device. What keeps it from being launched is noted, too; an Error is a
/// stop.
[[nodiscard]] Status runLaunched(const PlannedProgram& program, const RunRequest& request, const Lockstep::Parts& parts,
                                 RunOutcome& outcome);

} // namespace plimsoll::kernels
