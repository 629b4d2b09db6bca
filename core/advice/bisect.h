#pragma once

#include "core/plan/program.h"
#include "core/plan/run_result.h"

#include "core/base/progress.h"

#include <functional>
#include <optional>
#include <vector>

namespace plimsoll {

/// A sharing that makes a run wrong: two alias sets, or scratchpads, whose bytes meet in an arena, at the same time or
/// not; or a wait between streams whose absence does.
///
///     bytes  a [0 . . . . 64)              written at step 2, read at step 7
///                   b [32 . . . . 96)      written at step 4        → culprit a, b; steps [4, 8), bytes [32, 64)
///
///     stream 0   s ──────────► j           j reads a, which w writes, and does not wait for it
///     stream 1     ╲─► w a                                          → culprit a; wait w → j
struct Culprit
{
    struct Side
    {
        std::vector<ValueId> values; ///< In order of definition; none of a scratchpad.
        NodeId scratchOf;
    };
    std::optional<Side> earlier; ///< None where the later one is wrong wherever others lie, or used too early.
    Side later;
    /// The event that would mend it. Of two that meet: the later one is written beside the last use of the earlier one.
    std::optional<StreamEvent> wait {};
    bool laterApart = true;       ///< Fresh bytes for the later one mend it; else for the earlier one.
    std::vector<NodeId> nodes;    ///< Those that make them or whose scratchpads they are, then the one that went wrong.
    ArenaId arena;                ///< Invalid of what is used too early and lies in none.
    Interval steps;               ///< From the first write of the later one to the step that went wrong.
    Interval bytes;               ///< Where they meet; of one alone, all of its own.
    RunResult::Mismatch mismatch; ///< The first one of the run that it spoils.
};

struct Bisection
{
    std::vector<Culprit> culprits; ///< In the order in which they were found. Empty: the run equals the oracle.
    std::optional<RunResult::Mismatch> elsewhere; ///< With all bytes apart, and all waits, the run still differs.
    std::int64_t sharings = 0;                    ///< Pairs whose bytes meet.
    std::int64_t runs = 0;
};

/// Runs a plan, and says what the run had other than its oracle: the first of it, or nothing.
using Trial = std::function<Result<std::optional<RunResult::Mismatch>>(const PlannedProgram& program)>;

/// Finds the sharings that make the run of a plan differ from its oracle, by halving: of the things in the plan, in the
/// order of their first writes, the first k keep their places and the others get fresh bytes. The smallest k with a
/// wrong run names one of the two, and halving over those that it meets the other (as in delta debugging: Zeller and
/// Hildebrandt, "Simplifying and isolating failure-inducing input", 2002). Each culprit takes at most
/// 2 + 2·log2(sharings) runs; then one of the two gets fresh bytes, the one that an earlier culprit has, too, if there
/// is one, and the search goes on until the run is right. Where it is wrong with all bytes apart, streams are given the
/// waits that they lack, and halving over these names the one.
///
/// Errors: those of \p trial, Stopped, and BadInput where the fresh bytes add up to more than 63 bits.
[[nodiscard]] Result<Bisection> bisect(const PlannedProgram& program, const Trial& trial, const Context& context);

} // namespace plimsoll
