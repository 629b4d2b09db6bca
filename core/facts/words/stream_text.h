#pragma once

#include "core/facts/report.h"
#include "core/facts/stream_waits.h"

#include <vector>

namespace plimsoll {

/// "Stream 1 may write here from step 12 on: until then it does not wait for 'conv' of stream 0."
[[nodiscard]] Message waitSentence(const Report& report, const StreamOrder::Wait& wait);

/// "Node 'join' of stream 0 (step 9) does not wait for node 'gated' of stream 1 (step 8): the event between them is
/// missing."
[[nodiscard]] Message missingWaitSentence(const Report& report, const StreamEvent& event);

/// The nodes for which this one waits, and those that wait for it, by events.
[[nodiscard]] std::vector<NodeId> waitsFor(const Report& report, NodeId node);
[[nodiscard]] std::vector<NodeId> waitedForBy(const Report& report, NodeId node);

/// "2 streams of 7 and 4 nodes, 2 events"; empty for a plan of one stream.
[[nodiscard]] Message streamsSentence(const Report& report);

/// What stays reserved behind its last step, until another stream has waited.
struct WaitingStorages
{
    std::int64_t count = 0;
    std::int64_t bytes = 0;
};
[[nodiscard]] WaitingStorages waitingStorages(const Report& report);

} // namespace plimsoll
