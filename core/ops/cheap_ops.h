#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// Whether a backward graph may compute the node's results anew at little cost: pure, without nested graphs, and about
/// as much work as reading its inputs. Not so what multiplies matrices, convolves, gathers, sorts or joins tensors.
[[nodiscard]] bool isCheap(const Graph& graph, NodeId node);

} // namespace plimsoll
