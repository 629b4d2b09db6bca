#include "core/analysis/stream_assignment.h"

#include "core/analysis/alias_sets.h"
#include "core/ops/op_traits.h"
#include "core/plan/policies.h"

#include <algorithm>
#include <limits>
#include <set>

namespace plimsoll {
namespace {

/// Which nodes of the top have to be over before each of them begins, whatever the plan. By NodeId, latest first.
class Needs
{
public:
    Needs(const Graph& graph, const Schedule& schedule)
        : m_graph(graph), m_schedule(schedule), m_aliases(findAliasSets(graph, TraitTable(graph))),
          m_maker(graph.values.size()), m_readers(graph.values.size()), m_needs(graph.nodes.size())
    {
    }

    std::vector<std::vector<NodeId>> run()
    {
        for (const NodeId node : m_schedule.order[TopBody.index()]) {
            if (m_schedule.nodes[node.index()].empty()) continue;
            m_top = node;
            m_now.clear();
            visit(node);
            m_now.erase(node);
            m_needs[node.index()].assign(m_now.begin(), m_now.end());
            std::sort(m_needs[node.index()].begin(), m_needs[node.index()].end(),
                      [this](NodeId a, NodeId b) { return m_schedule.stepOf(a) > m_schedule.stepOf(b); });
        }
        return std::move(m_needs);
    }

private:
    void visit(NodeId id)
    {
        const Node& node = m_graph[id];
        for (std::size_t input = 0; input < node.inputs.size(); ++input) {
            if (readsContent(m_graph, id, static_cast<int>(input))) read(node.inputs[input]);
        }
        for (const BodyId body : node.bodies) {
            for (const NodeId inner : m_schedule.order[body.index()]) {
                if (!m_graph.decided[inner].ahead) visit(inner);
            }
            for (const ValueId output : m_graph[body].outputs)
                read(output);
        }
        for (const ValueId output : node.outputs)
            write(output);
    }

    void read(ValueId value)
    {
        if (!value.valid()) return;
        if (const NodeId maker = m_maker[value.index()]; maker.valid()) m_now.insert(maker);
        m_readers[m_aliases.root[value.index()].index()].insert(m_top);
    }

    /// A new version waits for all nodes that read or wrote the bytes before, under any of their names.
    void write(ValueId value)
    {
        if (!value.valid()) return;
        m_maker[value.index()] = m_top;
        std::set<NodeId>& readers = m_readers[m_aliases.root[value.index()].index()];
        if (m_aliases.kind[value.index()] == AliasKind::Mutates) m_now.insert(readers.begin(), readers.end());
        readers.insert(m_top);
    }

    const Graph& m_graph;
    const Schedule& m_schedule;
    AliasSets m_aliases;
    std::vector<NodeId> m_maker;             ///< By ValueId; invalid for what is there before the run.
    std::vector<std::set<NodeId>> m_readers; ///< By root: nodes that have read these bytes, or written them.
    NodeId m_top;
    std::set<NodeId> m_now;
    std::vector<std::vector<NodeId>> m_needs;
};

class Assigner
{
public:
    Assigner(const Graph& graph, const Schedule& schedule, std::int64_t streams)
        : m_graph(graph), m_captured(streams == CapturedStreams), m_schedule(schedule),
          m_needs(Needs(graph, schedule).run()), m_last(static_cast<std::size_t>(streams)),
          m_count(static_cast<std::size_t>(streams), 0), m_position(graph.nodes.size(), -1), m_ended(graph.nodes.size())
    {
        m_plan.streamOf.resize(graph.nodes.size(), 0);
    }

    StreamPlan run(const std::vector<std::int32_t>& captured)
    {
        if (m_captured) {
            m_plan.streamOf = captured;
            m_last.resize(static_cast<std::size_t>(m_plan.count()));
            m_count.resize(m_last.size(), 0);
        }
        for (const NodeId node : m_schedule.order[TopBody.index()]) {
            if (m_schedule.nodes[node.index()].empty()) continue;
            if (!m_captured) m_plan.streamOf[node.index()] = static_cast<std::int32_t>(choose(node));
            if (m_captured && !m_graph[node].at->stream) m_plan.streamOf[node.index()] = followed(node);
            enter(node);
        }
        inheritStreams(m_graph, m_plan);
        return std::move(m_plan);
    }

private:
    using Clock = std::vector<std::int64_t>;

    [[nodiscard]] std::size_t streamOf(NodeId node) const { return static_cast<std::size_t>(m_plan.of(node)); }

    void learn(Clock& clock, NodeId earlier) const
    {
        const Clock& known = m_ended[earlier.index()];
        for (std::size_t stream = 0; stream < known.size(); ++stream)
            clock[stream] = std::max(clock[stream], known[stream]);
        clock[streamOf(earlier)] = std::max(clock[streamOf(earlier)], m_position[earlier.index()] + 1);
    }

    [[nodiscard]] std::size_t choose(NodeId node) const
    {
        Clock needed(m_last.size(), 0);
        std::size_t followed = m_last.size();
        for (const NodeId need : m_needs[node.index()]) {
            if (m_last[streamOf(need)] == need) followed = std::min(followed, streamOf(need));
            learn(needed, need);
        }
        if (followed < m_last.size()) return followed;
        for (std::size_t stream = 0; stream < m_last.size(); ++stream) {
            if (m_count[stream] > 0 && needed[stream] >= m_count[stream]) return stream;
        }
        const auto least = std::min_element(m_count.begin(), m_count.end());
        return static_cast<std::size_t>(least - m_count.begin());
    }

    /// The stream of the latest of those that it needs.
    [[nodiscard]] std::int32_t followed(NodeId node) const
    {
        const std::vector<NodeId>& needs = m_needs[node.index()];
        return needs.empty() ? 0 : m_plan.of(needs.front());
    }

    void enter(NodeId node)
    {
        const std::size_t stream = streamOf(node);
        Clock clock(m_last.size(), 0);
        if (m_last[stream].valid()) learn(clock, m_last[stream]);
        for (const NodeId need : m_needs[node.index()]) {
            if (streamOf(need) == stream || clock[streamOf(need)] > m_position[need.index()]) continue;
            m_plan.events.push_back({need, node});
            learn(clock, need);
        }
        m_ended[node.index()] = std::move(clock);
        m_position[node.index()] = m_count[stream]++;
        m_last[stream] = node;
    }

    const Graph& m_graph;
    bool m_captured;
    const Schedule& m_schedule;
    std::vector<std::vector<NodeId>> m_needs; ///< By NodeId.
    std::vector<NodeId> m_last;               ///< By stream.
    std::vector<std::int64_t> m_count;        ///< By stream: nodes on it so far.
    std::vector<std::int64_t> m_position;     ///< By NodeId: in its stream.
    std::vector<Clock> m_ended;               ///< By NodeId: so many of each stream are over before it begins.
    StreamPlan m_plan;
};

} // namespace

Result<StreamPlan> assignStreams(const Graph& graph, const Schedule& schedule, std::int64_t streams)
{
    if (streams == 1) return StreamPlan {};
    std::vector<std::int32_t> captured;
    for (const Node& node : graph.nodes) { // numbers that the file leaves out stay out: stream 7 is stream 7
        if (streams != CapturedStreams) break;
        const std::int64_t stream = node.at->stream.value_or(0);
        if (Message why = whyNoStream(stream); !why.empty())
            return Error {ErrorCode::BadInput, std::move(why), "node '" + node.name + "'", {}};
        captured.push_back(static_cast<std::int32_t>(stream));
    }
    return Assigner(graph, schedule, streams).run(captured);
}

void inheritStreams(const Graph& graph, StreamPlan& plan)
{
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
        NodeId top =
            graph.decided[NodeId(index)].fusedInto.valid() ? graph.decided[NodeId(index)].fusedInto : NodeId(index);
        while (graph[top].body != TopBody)
            top = graph[graph[top].body].owner;
        plan.streamOf[index] = plan.of(top);
    }
}

} // namespace plimsoll
