#pragma once

#include "core/graph/graph.h"
#include "core/ops/derivatives/derivatives.h"
#include "core/plan/decision.h"

namespace plimsoll {

/// Writes out the loops through which gradients of graph.loss pass, iteration after iteration: a joint graph keeps
/// every state that a gradient reads, so each has to be a value of its own.
///
///     Loop(3, s)  body t → f(t)         s@0 = f(s)   s@1 = f(s@0)   result = f(s@1)
///
/// What a body hands back unchanged, or twice, is copied at the boundary into bytes of its own. Slices are gathered
/// when their iteration begins; what is stacked is joined at the end. The graph has types already, and ids of values
/// stay. Errors, with the node: the number of iterations is known at run time only, or there would be too many nodes.
[[nodiscard]] Result<Graph> unrollLoops(Graph graph, const DerivativeSet& derivatives, const DecisionLog& log);

} // namespace plimsoll
