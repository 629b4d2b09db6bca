#include "core/analysis/stream_order.h"

#include "core/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <span>

namespace plimsoll {
StreamOrder::StreamOrder(const Graph& graph, const Schedule& schedule, const StreamPlan& streams)
    : m_schedule(schedule), m_streams(streams), m_chains(static_cast<std::size_t>(streams.count())),
      m_position(graph.nodes.size(), -1), m_ended(graph.nodes.size() * m_chains.size(), 0)
{
    m_top.reserve(graph.nodes.size());
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
        const NodeId computer = graph.decided[NodeId(index)].fusedInto;
        NodeId top = computer.valid() ? computer : NodeId(index);
        while (graph[top].body != TopBody)
            top = graph[graph[top].body].owner;
        m_top.push_back(top);
    }
    std::multimap<NodeId, NodeId> waits;
    for (const StreamEvent& event : streams.events)
        waits.emplace(topOf(event.waiter), topOf(event.signal));
    for (const NodeId node : schedule.order[TopBody.index()]) {
        if (schedule.nodes[node.index()].empty()) continue;
        std::vector<NodeId>& chain = m_chains[static_cast<std::size_t>(streamOf(node))];
        const auto ended = [&](std::int32_t stream) -> std::int64_t& { return m_ended[endedAt(stream, node)]; };
        const auto learn = [&](NodeId earlier) {
            for (std::int32_t stream = 0; stream < streams.count(); ++stream)
                ended(stream) = std::max(ended(stream), endedOf(stream, earlier));
            std::int64_t& own = ended(streamOf(earlier));
            own = std::max(own, m_position[earlier.index()] + 1);
        };
        if (!chain.empty()) learn(chain.back());
        for (auto [wait, last] = waits.equal_range(node); wait != last; ++wait)
            learn(wait->second);
        m_position[node.index()] = static_cast<std::int64_t>(chain.size());
        chain.push_back(node);
    }
}

bool StreamOrder::before(NodeId a, NodeId b) const
{
    const NodeId first = topOf(a);
    const NodeId second = topOf(b);
    if (first == second || m_position[first.index()] < 0) return false;
    return endedOf(streamOf(first), second) > m_position[first.index()];
}

bool StreamOrder::unordered(NodeId a, NodeId b) const
{
    return topOf(a) != topOf(b) && !before(a, b) && !before(b, a);
}

Interval StreamOrder::unorderedOn(std::int32_t stream, NodeId node) const
{
    const NodeId top = topOf(node);
    if (stream == streamOf(top)) return {};
    const std::vector<NodeId>& others = chain(stream);
    const std::int64_t own = m_position[top.index()];
    const auto after = std::partition_point(others.begin(), others.end(),
                                            [&](NodeId other) { return endedOf(streamOf(top), other) <= own; });
    return {endedOf(stream, top), after - others.begin()};
}

StreamOrder::Wait StreamOrder::latestWait(const std::vector<NodeId>& nodes) const
{
    Wait latest;
    for (const NodeId node : nodes) {
        for (std::int32_t stream = 0; stream < streams(); ++stream) {
            const Interval beside = unorderedOn(stream, node);
            if (beside.empty()) continue;
            const NodeId last = chain(stream)[static_cast<std::size_t>(beside.end - 1)];
            const std::int64_t until = m_schedule.nodes[last.index()].end;
            if (until >= latest.until) latest = {until, topOf(node), stream};
        }
    }
    return latest;
}

namespace {

class AccessFinder
{
public:
    AccessFinder(const Graph& graph, const Schedule& schedule)
        : m_graph(graph), m_schedule(schedule), m_accesses(graph.values.size())
    {
    }

    std::vector<std::vector<NodeId>> run()
    {
        for (const NodeId node : m_schedule.order[TopBody.index()]) {
            m_top = node;
            visit(node);
        }
        return std::move(m_accesses);
    }

private:
    void visit(NodeId id)
    {
        if (m_schedule.nodes[id.index()].empty()) return;
        const Node& node = m_graph[id];
        for (std::size_t input = 0; input < node.inputs.size(); ++input) {
            if (readsContent(m_graph, id, static_cast<int>(input))) note(node.inputs[input]);
        }
        for (const BodyId body : node.bodies)
            visit(body);
        noteAll(node.outputs);
    }

    void visit(BodyId body)
    {
        noteAll(m_graph[body].inputs);
        for (const NodeId node : m_schedule.order[body.index()])
            visit(node);
        noteAll(m_graph[body].outputs);
    }

    void noteAll(std::span<const ValueId> values)
    {
        for (const ValueId value : values)
            note(value);
    }

    void note(ValueId value)
    {
        if (!value.valid()) return;
        std::vector<NodeId>& known = m_accesses[value.index()];
        if (known.empty() || known.back() != m_top) known.push_back(m_top);
    }

    const Graph& m_graph;
    const Schedule& m_schedule;
    NodeId m_top;
    std::vector<std::vector<NodeId>> m_accesses;
};

} // namespace

std::vector<std::vector<NodeId>> findUsers(const Graph& graph, const Schedule& schedule)
{
    return AccessFinder(graph, schedule).run();
}

} // namespace plimsoll
