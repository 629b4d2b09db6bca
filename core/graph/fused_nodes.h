#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// What fused nodes read beside what they hand each other stands behind the inputs of the node that computes them, in
/// their order:
///
///     y = conv(x, w)(add, relu)       inputs x, w, z       z is the operand of add that the convolution does not make
struct FusedOperand
{
    NodeId node;
    int input = 0;
};
[[nodiscard]] std::vector<FusedOperand> fusedOperands(const Graph& graph, const std::vector<FusedNode>& fused);

/// How many of a node's inputs are its own operator's.
[[nodiscard]] std::size_t ownInputs(const Graph& graph, NodeId node);

} // namespace plimsoll
