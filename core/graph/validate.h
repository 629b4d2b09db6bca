#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// Checks what every later stage relies on and returns the first thing that is wrong, with its place:
/// ids in range; every input defined before it is read, in its own body or one around it (a cycle shows as a value
/// that is read before its producer); one producer per value; known dimensions not negative and sizes below 2^63;
/// body outputs defined; names unique.
[[nodiscard]] Status validate(const Graph& graph);

/// Puts the nodes of every body into an order of execution, keeping captured order where it is one already.
/// For files that list nodes in any order. An Error names the nodes of a cycle.
[[nodiscard]] Status sortTopologically(Graph& graph);

} // namespace plimsoll
