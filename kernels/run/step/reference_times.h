#pragma once

#include "core/base/progress.h"
#include "core/lower/types/infer_types.h"
#include "core/plan/implementation.h"

namespace plimsoll::kernels {

/// What has to be expected to take longer than that is not executed: its time stays estimated.
inline constexpr double LongestReferenceMs = 2000;

/// Executes the reference kernel of every node on drawn inputs, alone, and puts the times into \p catalogue; alike
/// nodes are executed once. Left as they are: nodes with nested graphs, without a kernel or of unknown types, what
/// refuses drawn inputs, and what would take too long. Ends early where \p context asks for it.
void measureReference(const InferredGraph& inferred, Catalogue& catalogue, const Context& context);

} // namespace plimsoll::kernels
