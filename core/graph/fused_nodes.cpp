#include "core/graph/fused_nodes.h"

namespace plimsoll {

std::vector<FusedOperand> fusedOperands(const Graph& graph, const std::vector<FusedNode>& fused)
{
    std::vector<FusedOperand> operands;
    for (const FusedNode& follower : fused) {
        for (std::size_t input = 0; input < graph[follower.node].inputs.size(); ++input) {
            if (static_cast<int>(input) != follower.input) operands.push_back({follower.node, static_cast<int>(input)});
        }
    }
    return operands;
}

std::size_t ownInputs(const Graph& graph, NodeId node)
{
    return graph[node].inputs.size() - fusedOperands(graph, graph.decided[node].fused).size();
}

} // namespace plimsoll
