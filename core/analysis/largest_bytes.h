#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// By ValueId, of values whose size only the run knows: the most bytes that each can have, as the rows of the operators
/// say it (core/ops/rules/largest_outputs.h); -1 for all others and where nothing bounds it. Of branches the larger
/// counts. What a loop carries on has a bound where the body hands on what it was given.
[[nodiscard]] std::vector<std::int64_t> findLargestBytes(const Graph& graph);

} // namespace plimsoll
