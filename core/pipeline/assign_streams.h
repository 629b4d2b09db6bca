#pragma once

#include "core/pipeline/stages.h"

/// The placement problem of a plan of several streams. Private to core/pipeline*.cpp.
namespace plimsoll::pipeline {

/// What is searched in place of a placed graph's own problem: one buffer for each of its buffers, kept apart more than
/// needed, so that its bounds are none of the plan. Its arenas may be pools that lie above each other in the graph's:
///
///     arena   | stream 0: 256 KiB | stream 1: 128 KiB | of both: 64 KiB |
struct StreamTask
{
    Problem problem;
    std::vector<ArenaId> arenaOf; ///< By ArenaId of the problem: the placed graph's.
    Message note;                 ///< What the user should know: a sentence.
};

/// Keeps buffers of the placed graph's problem apart in time whose nodes are in no order; see stream_conflicts.h. Where
/// that takes too many moments the problem stays as it is, and another is to be searched.
[[nodiscard]] std::optional<StreamTask> keepStreamsApart(const Subject& subject, PlacedGraph& placed);

/// The answer to the task as one to the placed graph's problem.
[[nodiscard]] Plan joinPools(const StreamTask& task, const Problem& whole, Plan plan);

} // namespace plimsoll::pipeline
