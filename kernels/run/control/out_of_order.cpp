#include "kernels/run/control/out_of_order.h"

#include <set>

namespace plimsoll::kernels {
namespace {

/// Finds what the node reads, or a node inside of it, among what is still to be made.
std::optional<TooEarly> readsLater(const Graph& graph, NodeId node, const std::set<NodeId>& later)
{
    const auto isLater = [&](ValueId value) { return value.valid() && later.contains(graph[value].producer); };
    for (const ValueId input : graph[node].inputs) {
        if (isLater(input)) return TooEarly {node, graph[input].producer};
    }
    for (const BodyId body : graph[node].bodies) {
        for (const ValueId output : graph[body].outputs) {
            if (isLater(output)) return TooEarly {node, graph[output].producer};
        }
        for (const NodeId inner : graph[body].nodes) {
            if (const auto found = readsLater(graph, inner, later)) return found;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<TooEarly> findTooEarly(const Program& program, BodyId body)
{
    const std::vector<NodeId>& order = program.schedule.order[body.index()];
    std::set<NodeId> later;
    for (const NodeId node : order) {
        if (!program.schedule.nodes[node.index()].empty()) later.insert(node);
    }
    for (const NodeId node : order) {
        later.erase(node);
        if (program.schedule.nodes[node.index()].empty()) continue;
        if (const auto found = readsLater(*program.graph, node, later)) return found;
    }
    return std::nullopt;
}

} // namespace plimsoll::kernels
