#pragma once

#include "core/placement/search/budget.h"
#include "core/placement/search/section.h"

#include <optional>

namespace plimsoll {

enum class FitRule {
    First, ///< The lowest hole that is large enough.
    Best,  ///< The smallest hole that is large enough, the lowest of equals.
};

/// Walks through time once with the list of holes: what ends is given back, what begins (larger first) is taken. The
/// fastest of all, O(n log n) with a small constant and any number of buffers; good where lives are nested. Gaps are
/// not used. Nothing where buffers are pinned, or when the budget is over.
[[nodiscard]] std::optional<Packing> sweep(const Section& section, FitRule rule, Budget& budget);

/// The sweep into the tightest holes, given up where holes are too many for it to be quick.
[[nodiscard]] std::optional<Packing> tightSweep(const Section& section, const Budget& budget);

} // namespace plimsoll
