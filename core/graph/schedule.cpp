#include "core/graph/schedule.h"

#include <algorithm>
#include <utility>

namespace plimsoll {
namespace {

class Numbering
{
public:
    Numbering(const Graph& graph, std::vector<std::vector<NodeId>> order) : m_graph(graph)
    {
        m_schedule.order = std::move(order);
        m_schedule.nodes.resize(graph.nodes.size());
        m_schedule.bodies.resize(graph.bodies.size());
    }

    Schedule run()
    {
        number(TopBody);
        m_schedule.bodies[TopBody.index()] = {0, m_schedule.length()};
        for (std::size_t node = 0; node < m_graph.nodes.size(); ++node) {
            const NodeId computer = m_graph.decided[NodeId(node)].fusedInto;
            if (computer.valid()) m_schedule.nodes[node] = m_schedule.nodes[computer.index()];
        }
        return std::move(m_schedule);
    }

private:
    void number(BodyId body)
    {
        for (const NodeId id : m_schedule.order[body.index()]) {
            if (m_graph.decided[id].ahead) continue;
            const std::int64_t begin = m_schedule.length();
            const bool nests = !m_graph[id].bodies.empty();
            push(nests ? StepKind::Enter : StepKind::Node, id, m_graph[id].body);
            for (const BodyId inner : m_graph[id].bodies) {
                const std::int64_t first = m_schedule.length();
                number(inner);
                push(StepKind::Leave, id, inner);
                m_schedule.bodies[inner.index()] = {first, m_schedule.length()};
            }
            if (nests) push(StepKind::Exit, id, m_graph[id].body);
            m_schedule.nodes[id.index()] = {begin, m_schedule.length()};
        }
    }

    void push(StepKind kind, NodeId node, BodyId body) { m_schedule.steps.push_back({kind, node, body}); }

    const Graph& m_graph;
    Schedule m_schedule;
};

} // namespace

Schedule scheduleInCapturedOrder(const Graph& graph)
{
    std::vector<std::vector<NodeId>> order;
    for (const Body& body : graph.bodies)
        order.push_back(body.nodes);
    return scheduleInOrder(graph, std::move(order));
}

Schedule scheduleInOrder(const Graph& graph, std::vector<std::vector<NodeId>> order)
{
    return Numbering(graph, std::move(order)).run();
}

bool isCapturedOrder(const Graph& graph, const Schedule& schedule)
{
    return std::ranges::equal(graph.bodies, schedule.order, {}, &Body::nodes);
}

} // namespace plimsoll
