#pragma once

#include "core/base/progress.h"
#include "core/plan/implementation.h"
#include "core/transform/infer_types.h"

namespace plimsoll::kernels {

/// What every backend of this machine offers for the nodes of \p graph, with the sizes that \p shapes gives it, and in
/// Catalogue::environment what the answer depends on: library versions, instruction set, number of threads. The
/// reference offers itself for everything it has a kernel for and is listed where somebody else is. Times are
/// estimated; with \p measure every offer, the reorders between them and the reference are executed a few times, as far
/// as somebody would wait for it (reference_times.h), and the reference is listed for every node that it was executed
/// for.
[[nodiscard]] Result<Catalogue> describeBackends(const Graph& graph, const InferenceRequest& shapes,
                                                 const Context& context, bool measure = false);

} // namespace plimsoll::kernels
