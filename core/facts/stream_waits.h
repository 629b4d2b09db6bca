#pragma once

#include "core/analysis/stream_order.h"
#include "core/plan/program.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll {

/// A saved report says nothing of what its nodes read, and so nothing of its streams.
[[nodiscard]] bool knowsStreams(const PlannedProgram& program);

/// For each storage of a plan of several streams, by StorageId: the stream that is the last to wait for those who use
/// it, if that comes behind its last step. Nothing (until 0) for storages of the caller; empty on one stream.
[[nodiscard]] std::vector<StreamOrder::Wait> storageWaits(const PlannedProgram& program);

/// Pairs of nodes that touch the same bytes, the earlier one first: as few events as would order those that nothing
/// does. None of a plan of one stream.
[[nodiscard]] std::vector<StreamEvent> missingEvents(const PlannedProgram& program, std::vector<StreamEvent> needed);

/// What waits for what across streams, by the names of nodes: the waiter first.
using NamedWaits = std::set<std::pair<std::string, std::string>>;
[[nodiscard]] NamedWaits namedWaits(const PlannedProgram& program);

} // namespace plimsoll
