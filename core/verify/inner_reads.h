#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace plimsoll::verifying {

/// Inputs of a node of which an element may be read after another one was written in its place: by what is known
/// of the operations inside. None where nothing is.
[[nodiscard]] std::vector<ValueId> readElsewhere(const Graph& graph, NodeId node);

} // namespace plimsoll::verifying
