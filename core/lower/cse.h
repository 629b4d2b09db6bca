#pragma once

#include "core/graph/graph.h"
#include "core/plan/decision.h"

namespace plimsoll {

/// Merges nodes of one body that compute the same: same operator, attributes and inputs, once what they read has been
/// merged itself. Nodes stand in an order of execution, so one pass reaches the fixed point.
///
/// Never merged: what draws random numbers, keeps state or changes an input; operators that are not known here; what
/// touches bytes that are changed; nodes with bodies. A result that the graph (or a body) hands out stays a value
/// of its own: its node becomes an Identity of the twin's result, so that no two outputs become one.
///
///     y0 = Mul(a, d)                      y0 = Mul(a, d)
///     y1 = Mul(a, d)   output y0 y1  →    y1 = Identity(y0)
///
/// Ids do not change; a node that is not needed any more is marked as ahead of the run. Equality follows apache/mxnet's
/// pass of pull request 15657, but the copy is made whenever it is needed.
[[nodiscard]] Graph mergeCommonSubexpressions(Graph graph, const DecisionLog& log);

} // namespace plimsoll
