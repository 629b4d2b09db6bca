#pragma once

#include "app/cli/options.h"
#include "core/facts/report.h"
#include "core/report/compared_kind.h"

namespace plimsoll::cli {

/// One side of a comparison: options.graph is any of these. \p graphOfPlan: the graph that a plan belongs to; empty:
/// none is known, which is BadUsage. Policies for a saved report alone are, too.
[[nodiscard]] Result<Report> readCompared(GraphOptions options, const std::string& graphOfPlan, bool placesAsFound);

} // namespace plimsoll::cli
