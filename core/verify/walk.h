#pragma once

#include "core/verify/clashes.h"

namespace plimsoll::verifying {

/// What a walk over the schedule has seen.
struct Walk
{
    Clashes clashes;
    std::vector<Interval> touched; ///< By ValueId: first access to behind the last one, in steps; outputs to the end.
    /// By ValueId: how it came to lie in the bytes of what it is made from, exactly where its node or owner allows it;
    /// Fresh for what begins a storage.
    std::vector<AliasKind> madeAs;
};

/// Executes the schedule on paper: every write puts its generation into the bytes, every read looks whether the
/// expected one is still there. Branches start from the same state and meet again; loops run twice round, so that the
/// second iteration meets what the first has left. A stop request ends it early.
[[nodiscard]] Walk walk(const PlanFacts& facts, const Context& context);

} // namespace plimsoll::verifying
