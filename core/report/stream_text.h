#pragma once

#include "core/analysis/stream_order.h"
#include "core/report/report.h"

#include <string>
#include <vector>

namespace plimsoll {

/// For each storage of a plan of several streams, by StorageId: the stream that is the last to wait for those who use
/// it, if that comes behind its last step. Nothing (until 0) for storages of the caller, and on one stream.
[[nodiscard]] std::vector<StreamOrder::Wait> storageWaits(const Report& report);

/// "Stream 1 may write here from step 12 on: until then it does not wait for 'conv' of stream 0."
[[nodiscard]] std::string waitSentence(const Report& report, const StreamOrder::Wait& wait);

/// The nodes for which this one waits, and those that wait for it, by events.
[[nodiscard]] std::vector<NodeId> waitsFor(const Report& report, NodeId node);
[[nodiscard]] std::vector<NodeId> waitedForBy(const Report& report, NodeId node);

/// "2 streams of 7 and 4 nodes, 2 events"; empty for a plan of one stream.
[[nodiscard]] std::string streamsSentence(const Report& report);

} // namespace plimsoll
