#pragma once

#include "core/base/narrow.h"
#include "core/graph/schedule.h"
#include "core/plan/live_ranges.h"
#include "core/plan/streams.h"

#include <vector>

namespace plimsoll {

/// Which nodes of the top are over when others begin: by the order on each stream, and by the events between them.
///
///     stream 0   a ──► b ──► d
///                        ╲              before(a, e), before(b, e); d and e are in no order
///     stream 1     c ────► e
///
/// Nodes of nested graphs count as the node of the top that they are in.
class StreamOrder
{
public:
    /// Every event goes forward in the schedule.
    StreamOrder(const Graph& graph, const Schedule& schedule, const StreamPlan& streams);

    [[nodiscard]] bool several() const { return m_chains.size() > 1; }
    [[nodiscard]] std::int32_t streamOf(NodeId node) const { return m_streams.of(topOf(node)); }
    /// The node of the top that it is, or is in.
    [[nodiscard]] NodeId topOf(NodeId node) const { return m_top[node.index()]; }
    /// Whether \p a has ended when \p b begins, in every order in which they may run.
    [[nodiscard]] bool before(NodeId a, NodeId b) const;
    [[nodiscard]] bool unordered(NodeId a, NodeId b) const;
    /// The nodes of a stream, in order.
    [[nodiscard]] const std::vector<NodeId>& chain(std::int32_t stream) const
    {
        return m_chains[static_cast<std::size_t>(stream)];
    }
    [[nodiscard]] std::int32_t streams() const { return narrow<std::int32_t>(m_chains.size()); }
    /// Positions in the chain of \p stream whose nodes are in no order with \p node.
    [[nodiscard]] Interval unorderedOn(std::int32_t stream, NodeId node) const;

    /// A stream that comes to \c until before it waits for \c node.
    struct Wait
    {
        std::int64_t until = 0; ///< From this step on every stream has waited; 0 where none need wait.
        NodeId node;
        std::int32_t stream = 0;
    };
    /// The latest step before which some stream may still run beside one of \p nodes, and the last of these.
    [[nodiscard]] Wait latestWait(const std::vector<NodeId>& nodes) const;

private:
    [[nodiscard]] std::int64_t endedOf(std::int32_t stream, NodeId top) const { return m_ended[endedAt(stream, top)]; }
    [[nodiscard]] std::size_t endedAt(std::int32_t stream, NodeId top) const
    {
        return top.index() * m_chains.size() + static_cast<std::size_t>(stream);
    }

    const Schedule& m_schedule;
    const StreamPlan& m_streams;
    std::vector<NodeId> m_top;                 ///< By NodeId.
    std::vector<std::vector<NodeId>> m_chains; ///< By stream.
    std::vector<std::int64_t> m_position;      ///< By NodeId, in its chain; -1 for what does not run.
    std::vector<std::int64_t> m_ended;         ///< By NodeId, those by stream: so many of it have ended before.
};

/// By ValueId: the nodes of the top that read its content or write it, in the order of the schedule. What a nested
/// graph does counts for the node that it is in.
[[nodiscard]] std::vector<std::vector<NodeId>> findUsers(const Graph& graph, const Schedule& schedule);

} // namespace plimsoll
