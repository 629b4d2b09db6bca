#include "core/graph/graph.h"

#include <algorithm>

namespace plimsoll {

std::int64_t opsetVersion(const Graph& graph, std::string_view domain)
{
    const auto found = graph.opsets.find(std::string(domain == "ai.onnx" ? "" : domain));
    return found == graph.opsets.end() ? 0 : found->second;
}

ValueId findValue(const Graph& graph, std::string_view name)
{
    const auto found =
        std::find_if(graph.values.begin(), graph.values.end(), [&](const Value& v) { return v.name == name; });
    return found == graph.values.end() ? ValueId() : ValueId(static_cast<std::size_t>(found - graph.values.begin()));
}

NodeId findNode(const Graph& graph, std::string_view name)
{
    const auto found =
        std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const Node& n) { return n.name == name; });
    return found == graph.nodes.end() ? NodeId() : NodeId(static_cast<std::size_t>(found - graph.nodes.begin()));
}

std::string qualifiedOp(const Node& node)
{
    return node.domain.empty() ? *node.op : node.domain + "::" + node.op;
}

bool isInside(const Graph& graph, BodyId inner, BodyId outer)
{
    while (inner != outer) {
        const NodeId owner = graph[inner].owner;
        if (!owner.valid()) return false;
        inner = graph[owner].body;
    }
    return true;
}

Uses findUses(const Graph& graph)
{
    const auto reads = [&](auto add) {
        for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
            if (graph.decided[NodeId(n)].fusedInto.valid()) continue;
            const auto& inputs = graph.nodes[n].inputs;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                if (inputs[i].valid()) add(inputs[i].index(), {NodeId(n), static_cast<int>(i)});
            }
        }
    };
    const auto results = [&](auto add) {
        for (std::size_t b = 0; b < graph.bodies.size(); ++b) {
            const auto& outputs = graph.bodies[b].outputs;
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                if (outputs[i].valid()) add(outputs[i].index(), {BodyId(b), static_cast<int>(i)});
            }
        }
    };
    return {{graph.values.size(), reads}, {graph.values.size(), results}};
}

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
