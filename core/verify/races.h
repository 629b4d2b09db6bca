#pragma once

#include "core/verify/clashes.h"
#include "core/verify/stream_clocks.h"

namespace plimsoll::verifying {

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
