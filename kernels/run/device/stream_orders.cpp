#include "kernels/run/device/stream_orders.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MostShownRaces = 32;

/// A device on paper: every stream has a node that is next.
class PlayedDevice
{
public:
    explicit PlayedDevice(const Program& program)
        : m_program(program), m_chains(static_cast<std::size_t>(program.streams.count())), m_next(m_chains.size(), 0),
          m_waits(program.graph->nodes.size()), m_done(program.graph->nodes.size(), false)
    {
        for (const NodeId node : program.schedule.order[TopBody.index()]) {
            if (!program.schedule.nodes[node.index()].empty()) m_chains[streamOf(node)].push_back(node);
        }
        for (const StreamEvent& event : program.streams.events)
            m_waits[event.waiter.index()].push_back(event.signal);
    }

    [[nodiscard]] std::size_t streams() const { return m_chains.size(); }
    [[nodiscard]] bool empty(std::size_t stream) const { return m_next[stream] == m_chains[stream].size(); }
    [[nodiscard]] bool done(NodeId node) const { return m_done[node.index()]; }
    [[nodiscard]] std::size_t streamOf(NodeId node) const
    {
        return static_cast<std::size_t>(m_program.streams.of(node));
    }
    [[nodiscard]] std::int64_t stepOf(NodeId node) const { return m_program.schedule.stepOf(node); }

    /// The next node of the stream, or one that it waits for. What waits is later in the schedule, so this ends.
    void advance(std::size_t stream)
    {
        for (;;) {
            const NodeId node = m_chains[stream][m_next[stream]];
            const auto& waits = m_waits[node.index()];
            const auto open = std::find_if(waits.begin(), waits.end(), [this](NodeId other) { return !done(other); });
            if (open == waits.end()) return run(stream);
            stream = streamOf(*open);
        }
    }

    /// The node that is first in the schedule; invalid when all have run.
    [[nodiscard]] NodeId first() const
    {
        NodeId found;
        for (std::size_t stream = 0; stream < streams(); ++stream) {
            if (empty(stream)) continue;
            const NodeId node = m_chains[stream][m_next[stream]];
            if (!found.valid() || stepOf(node) < stepOf(found)) found = node;
        }
        return found;
    }

    /// What is left, in the order of the schedule.
    std::vector<NodeId> finish() &&
    {
        for (NodeId node = first(); node.valid(); node = first())
            run(streamOf(node));
        return std::move(m_order);
    }

private:
    void run(std::size_t stream)
    {
        const NodeId node = m_chains[stream][m_next[stream]++];
        m_done[node.index()] = true;
        m_order.push_back(node);
    }

    const Program& m_program;
    std::vector<std::vector<NodeId>> m_chains; ///< By stream.
    std::vector<std::size_t> m_next;           ///< By stream: index into its chain.
    std::vector<std::vector<NodeId>> m_waits;  ///< By NodeId.
    std::vector<bool> m_done;                  ///< By NodeId.
    std::vector<NodeId> m_order;
};

/// \p late stands behind \p early in the schedule, and neither waits for the other.
RunOrder turnedRound(const Program& program, NodeId early, NodeId late)
{
    PlayedDevice device(program);
    while (device.first() != early)
        device.advance(device.streamOf(device.first()));
    while (!device.done(late))
        device.advance(device.streamOf(late));
    while (!device.done(early))
        device.advance(device.streamOf(early));
    const Graph& graph = *program.graph;
    return {"'" + graph[late].name + "' before '" + graph[early].name + "'", std::move(device).finish()};
}

/// Between two nodes of the top.
bool isRace(const Program& program, const Finding& finding)
{
    if (finding.rule != Rule::Overlap && finding.rule != Rule::UninitialisedRead) return false;
    if (finding.nodes.size() != 2) return false;
    const auto runsAtTop = [&](NodeId node) {
        return (*program.graph)[node].body == TopBody && !program.schedule.nodes[node.index()].empty();
    };
    return runsAtTop(finding.nodes[0]) && runsAtTop(finding.nodes[1]) &&
           program.streams.of(finding.nodes[0]) != program.streams.of(finding.nodes[1]);
}

} // namespace

std::vector<RunOrder> otherOrders(const Program& program, std::span<const Finding> findings)
{
    std::vector<RunOrder> orders;
    if (!program.streams.several()) return orders;
    for (std::size_t stream = 0; stream < PlayedDevice(program).streams(); ++stream) {
        PlayedDevice device(program);
        while (!device.empty(stream))
            device.advance(stream);
        orders.push_back({"stream " + std::to_string(stream) + " first", std::move(device).finish()});
    }
    std::size_t races = 0;
    for (const Finding& finding : findings) {
        if (!isRace(program, finding) || ++races > MostShownRaces) continue;
        const auto [early, late] = std::minmax(finding.nodes[0], finding.nodes[1], [&](NodeId a, NodeId b) {
            return program.schedule.stepOf(a) < program.schedule.stepOf(b);
        });
        RunOrder order = turnedRound(program, early, late);
        const bool isNew = std::none_of(orders.begin(), orders.end(),
                                        [&](const RunOrder& known) { return known.nodes == order.nodes; });
        if (isNew) orders.push_back(std::move(order));
    }
    return orders;
}

} // namespace plimsoll::kernels
