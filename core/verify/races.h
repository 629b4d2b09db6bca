#pragma once

#include "core/verify/clashes.h"

namespace plimsoll::verifying {

/// What of other streams is over when a step begins. Found by walking the schedule once, as a device would keep it:
/// every stream has a clock that counts its steps, and an event carries the clocks of the one to the other.
class StreamClocks
{
public:
    StreamClocks(const Graph& graph, const Schedule& schedule, const StreamPlan& streams);

    /// Of the node that a step belongs to at the top: a nested graph runs where its owner does.
    [[nodiscard]] std::int32_t streamOf(std::int64_t step) const { return m_stream[at(step)]; }
    [[nodiscard]] NodeId topOf(std::int64_t step) const { return m_top[at(step)]; }
    /// Whether the earlier step is over when the later one begins.
    [[nodiscard]] bool waited(std::int64_t earlier, std::int64_t later) const;

private:
    using Clock = std::vector<std::int64_t>; ///< By stream: steps before this one are over.
    [[nodiscard]] static std::size_t at(std::int64_t step) { return static_cast<std::size_t>(step); }
    void enter(NodeId node, Interval steps);

    const StreamPlan& m_streams;
    std::vector<std::int32_t> m_stream;       ///< By step.
    std::vector<NodeId> m_top;                ///< By step.
    std::vector<Clock> m_known;               ///< By NodeId, of nodes of the top: when they begin.
    std::vector<NodeId> m_last;               ///< By stream.
    std::vector<Interval> m_steps;            ///< By NodeId.
    std::vector<std::vector<NodeId>> m_waits; ///< By NodeId: what it waits for.
};

/// Two steps of different streams that meet in the same bytes, at least one of them writing, though neither waits for
/// the other. The earlier in the order of the schedule is the first.
struct Race
{
    Rule rule = Rule::Overlap;
    Party first;
    Party second;
    bool firstWrites = false;
    std::int64_t firstStep = 0;
    std::int64_t secondStep = 0;
    ArenaId arena; ///< Invalid for a value without a place.
    Interval bytes;
};

/// Every race of the plan: one for each two values, or scratchpads, and each stream of the first of them.
[[nodiscard]] std::vector<Race> findRaces(const PlanFacts& facts, const StreamClocks& clocks, const Context& context);

} // namespace plimsoll::verifying
