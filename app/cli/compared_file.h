#pragma once

#include "app/cli/options.h"
#include "core/facts/report.h"

namespace plimsoll::cli {

/// What a command takes as one of two plans.
enum class ComparedKind {
    Graph,  ///< Planned on the spot.
    Packed, ///< A table of buffers or a memory snapshot: the places that it has.
    Plan,   ///< plimsoll.plan/1, of a graph that stands elsewhere.
    Report, ///< plimsoll.report/1, read as it was saved.
};

/// By its content. Standard input is a graph; and so is what cannot be read, whose reader says why.
[[nodiscard]] ComparedKind comparedKind(const std::string& file);

/// One side of a comparison: options.graph is any of these. \p graphOfPlan: the graph that a plan belongs to; empty:
/// none is known, which is BadUsage. Policies for a saved report alone are, too.
[[nodiscard]] Result<Report> readCompared(GraphOptions options, const std::string& graphOfPlan, bool placesAsFound);

} // namespace plimsoll::cli
