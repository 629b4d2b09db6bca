#pragma once

#include "kernels/run/executor.h"

namespace plimsoll::kernels {

/// What a run is to prove, in a sentence: of how many nodes, by kernels or by hashes of what is read, in which orders
/// and on which branches.
[[nodiscard]] Message promiseOf(const PlannedProgram& program, const RunRequest& request);

} // namespace plimsoll::kernels
