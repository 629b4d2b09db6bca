#include "core/verify/stream_clocks.h"

#include <algorithm>

namespace plimsoll::verifying {

StreamClocks::StreamClocks(const Graph& graph, const Schedule& schedule, const StreamPlan& streams)
    : m_streams(streams), m_stream(at(schedule.length()), 0), m_top(at(schedule.length())), m_known(graph.nodes.size()),
      m_last(static_cast<std::size_t>(streams.count())), m_steps(schedule.nodes), m_waits(graph.nodes.size())
{
    for (const StreamEvent& event : streams.events)
        m_waits[event.waiter.index()].push_back(event.signal);
    for (std::int64_t step = 0; step < schedule.length();) {
        const NodeId node = schedule.steps[at(step)].node;
        enter(node, schedule.nodes[node.index()]);
        step = std::max(step + 1, schedule.nodes[node.index()].end);
    }
}

void StreamClocks::enter(NodeId node, Interval steps)
{
    const auto stream = static_cast<std::size_t>(m_streams.of(node));
    Clock& clock = m_known[node.index()];
    clock.resize(m_last.size(), 0);
    const auto hear = [&](NodeId from) {
        const Clock& other = m_known[from.index()];
        if (other.empty()) return; // it has not run: an event against the schedule orders nothing
        for (std::size_t s = 0; s < clock.size(); ++s)
            clock[s] = std::max(clock[s], other[s]);
        std::int64_t& own = clock[static_cast<std::size_t>(m_streams.of(from))];
        own = std::max(own, m_steps[from.index()].end);
    };
    if (m_last[stream].valid()) hear(m_last[stream]);
    for (const NodeId other : m_waits[node.index()])
        hear(other);
    m_last[stream] = node;
    for (std::int64_t step = steps.begin; step < steps.end; ++step) {
        m_stream[at(step)] = static_cast<std::int32_t>(stream);
        m_top[at(step)] = node;
    }
}

bool StreamClocks::waited(std::int64_t earlier, std::int64_t later) const
{
    if (earlier < 0 || topOf(earlier) == topOf(later)) return true;
    return m_known[topOf(later).index()][static_cast<std::size_t>(streamOf(earlier))] > earlier;
}

} // namespace plimsoll::verifying
