#pragma once

#include "core/base/ids.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// \c waiter begins only when \c signal has ended. Of what stands on one stream this goes without saying. Files call
/// them "after" and "before": the event lies after the one and before the other.
struct StreamEvent
{
    NodeId signal;
    NodeId waiter;
    friend bool operator==(const StreamEvent&, const StreamEvent&) = default;
};

/// What runs beside what: the nodes of one stream run one after the other in the order of the schedule, those of
/// different streams in any order that the events leave. A nested graph runs on the stream of its owner.
///
///     stream 0   a ──► b ────────► d        a's bytes are free for c's stream only behind the event b → e
///     stream 1     ╲─► c ───► e ─╱
struct StreamPlan
{
    std::vector<std::int32_t> streamOf; ///< By NodeId. Empty: all run on stream 0.
    std::vector<StreamEvent> events;    ///< In the order of the nodes that wait.

    [[nodiscard]] std::int32_t of(NodeId node) const
    {
        return node.valid() && node.index() < streamOf.size() ? streamOf[node.index()] : 0;
    }
    /// 1 + the highest number of a stream.
    [[nodiscard]] std::int32_t count() const
    {
        return streamOf.empty() ? 1 : 1 + *std::max_element(streamOf.begin(), streamOf.end());
    }
    [[nodiscard]] bool several() const { return count() > 1; }
};

/// The same by names, as files carry it.
struct NamedStreams
{
    struct Place
    {
        std::string node;
        std::int64_t stream = 0;
    };
    struct Event
    {
        std::string signal;
        std::string waiter;
    };
    std::vector<Place> places; ///< None: all run on stream 0. Else all outside of nested graphs.
    std::vector<Event> events;
};

/// Files may name streams 0 to 63.
inline constexpr std::int64_t MostStreams = 64;

/// What is wrong with a stream of that number; empty: nothing.
[[nodiscard]] inline Message whyNoStream(std::int64_t number)
{
    if (number >= 0 && number < MostStreams) return {};
    return say("streams.none", word::Number(number), word::Number(MostStreams - 1));
}

} // namespace plimsoll
