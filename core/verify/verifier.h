#pragma once

#include "core/base/progress.h"
#include "core/graph/schedule.h"
#include "core/plan/finding.h"
#include "core/plan/implementation.h"
#include "core/plan/memory_map.h"
#include "core/plan/policies.h"
#include "core/plan/streams.h"

#include <vector>

namespace plimsoll {

/// What a plan is judged against.
struct VerifyInput
{
    const Graph& graph; ///< Inferred and folded: the one that will be run.
    const Schedule& schedule;
    const std::vector<Implementation>& implementations; ///< By NodeId; may be shorter, the rest is the reference.
    const Policies& policies;                           ///< outputs and alignment decide what is a broken rule.
    const StreamPlan* streams = nullptr;                ///< Null: every node runs on one stream.
    bool ownPlan = false;                               ///< Made here, so that a policy would change it.
};

/// Checks \p map and returns every finding, errors first, then by step; arenas above their capacity before all others.
///
/// Slow and obvious on purpose, and shares no code with analysis, sharing or placement: it executes the schedule on
/// paper and keeps, for every byte interval of every arena, which value's generation was written there last. A read
/// that meets any other generation is a finding. Branches are walked one by one, loops twice round. Of a plan of
/// several streams every two accesses to a byte, one of which writes, must be ordered by a stream or by events. Never
/// throws, never prints. A stop request ends it early with what it has.
[[nodiscard]] std::vector<Finding> verify(const VerifyInput& input, const MemoryMap& map, const Context& context);

} // namespace plimsoll
