#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace plimsoll::verifying {

/// Inputs of a node of which an element may be read after another one was written in its place: by what the file says
/// of the operations inside. None where it says nothing.
[[nodiscard]] std::vector<ValueId> readElsewhere(const Graph& graph, const Node& node);

} // namespace plimsoll::verifying
