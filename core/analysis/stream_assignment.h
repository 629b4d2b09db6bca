#pragma once

#include "core/base/result.h"
#include "core/graph/schedule.h"
#include "core/plan/streams.h"

namespace plimsoll {

/// Which node runs on which stream. \p streams 1: all on one. CapturedStreams: as the graph file says, and what
/// it says nothing of where the latest of its producers runs, or on stream 0. Else on at most so many, in greedy
/// chains:
///
/// - a node follows one of those whose results it reads, where that is the last of its stream so far, on the lowest;
/// - else it takes a stream whose last node is over by then anyway, the lowest; else one that is not used yet;
/// - else the stream with the fewest nodes.
///
/// Events stand where a node needs what another stream makes, or writes a new version over what another stream reads,
/// unless earlier ones have put the two in order already.
[[nodiscard]] Result<StreamPlan> assignStreams(const Graph& graph, const Schedule& schedule, std::int64_t streams);

/// What is fused or nested runs where its node of the graph itself does.
void inheritStreams(const Graph& graph, StreamPlan& plan);

} // namespace plimsoll
