#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// Whether the node is one that dispatch() inserted: it brings its input into another layout and changes nothing else.
[[nodiscard]] bool isReorder(const Node& node);

/// Whether the node is one that dispatchSparse() inserted: it brings its input from sparse to dense or back.
[[nodiscard]] bool isStorageConversion(const Node& node);

/// Whether the node brings its input into the memory space of its attribute "space", and changes nothing else.
[[nodiscard]] bool isSpaceCopy(const Node& node);

/// The value that a weight was prepared from; the value itself where it was not.
[[nodiscard]] ValueId beforePreparing(const Graph& graph, ValueId value);

} // namespace plimsoll
