#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <vector>

namespace plimsoll::kernels {

/// A run ends where a node computes something of another type than was planned: that is no fault of the plan. \p error
/// says what and where; this adds the inputs to give in place of what was \p drawn. Of those that the node's result
/// follows from the integers are named, which decide shapes, or else all. Where nothing was drawn, the input is bad.
[[nodiscard]] Error misfit(const Graph& graph, const std::vector<ValueId>& drawn, NodeId node, const Error& error);

} // namespace plimsoll::kernels
