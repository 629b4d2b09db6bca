#include "kernels/run/memory/release_plan.h"

namespace plimsoll::kernels {
namespace {

/// The node of \p body that \p node is, or is nested in. Invalid when it is elsewhere.
NodeId ancestorIn(const Graph& graph, NodeId node, BodyId body)
{
    while (node.valid() && graph[node].body != body)
        node = graph[graph[node].body].owner;
    return node;
}

/// Position of every node in its own body.
std::vector<std::size_t> positions(const Schedule& schedule)
{
    std::vector<std::size_t> position(schedule.nodes.size(), 0);
    for (const std::vector<NodeId>& nodes : schedule.order) {
        for (std::size_t i = 0; i < nodes.size(); ++i)
            position[nodes[i].index()] = i;
    }
    return position;
}

} // namespace

ReleasePlan::ReleasePlan(const Graph& graph, const Schedule& schedule)
    : m_after(graph.nodes.size()), m_atLeave(graph.bodies.size())
{
    const Uses uses = findUses(graph);
    const std::vector<std::size_t> position = positions(schedule);
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[i];
        if (value.role != ValueRole::Intermediate || !value.producer.valid()) continue;
        NodeId last = value.producer;
        bool handedOver = false;
        const auto usedAt = [&](NodeId node) {
            const NodeId here = ancestorIn(graph, node, value.body);
            if (here.valid() && position[here.index()] > position[last.index()]) last = here;
        };
        for (const Uses::Read& read : uses.reads[i])
            usedAt(read.node);
        for (const Uses::Result& result : uses.results[i]) {
            handedOver = handedOver || result.body == value.body;
            if (result.body != value.body) usedAt(graph[result.body].owner);
        }
        if (!handedOver)
            m_after[last.index()].push_back(ValueId {i});
        else if (value.body != TopBody)
            m_atLeave[value.body.index()].push_back(ValueId {i});
    }
}

} // namespace plimsoll::kernels
