#pragma once

#include "core/pipeline/pipeline.h"

namespace plimsoll {

/// Our own plan beside the one that \p request gives, on its terms: its order, implementations, streams and reserved
/// bytes are kept, and places are made here. Its peak is GivenPlanBounds::ownPeakBytes.
[[nodiscard]] Result<Report> planBeside(const Graph& graph, const PlanRequest& request, const Context& context);

} // namespace plimsoll
