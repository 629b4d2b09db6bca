#pragma once

#include "core/graph/graph.h"
#include "core/ops/partial_tensor.h"

#include <map>

namespace plimsoll {

/// What graph inputs and parameters without data must hold so that every value gets the sizes that its type has: what
/// the operators ask of their inputs (core/ops/rules/shape_search.h), followed backwards through shape arithmetic.
/// Elements of which nothing is asked are unknown. Where two nodes ask for different content, the first is heard.
[[nodiscard]] std::map<ValueId, PartialTensor> solveInputs(const Graph& graph);

} // namespace plimsoll
