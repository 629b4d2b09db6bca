#pragma once

#include "core/base/progress.h"
#include "core/plan/finding.h"
#include "core/plan/program.h"

#include <vector>

namespace plimsoll {

/// What is judged.
struct VerifyInput
{
    const Program& program;
    const MemoryMap& map;
    bool ownPlan = false; ///< Made here, so that a policy would change it.
};

/// Checks the map and returns every finding, errors first, then by step; arenas above their capacity before all others.
///
/// Slow and obvious on purpose, and shares no code with analysis, sharing or placement: it executes the schedule on
/// paper and keeps, for every byte interval of every arena, which value's generation was written there last. A read
/// that meets any other generation is a finding. Branches are walked one by one, loops twice round. Of a plan of
/// several streams every two accesses to a byte, one of which writes, must be ordered by a stream or by events. Never
/// throws, never prints. A stop request ends it early with what it has.
[[nodiscard]] std::vector<Finding> verify(const VerifyInput& input, const Context& context);

} // namespace plimsoll
