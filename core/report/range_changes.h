#pragma once

#include "core/report/report.h"

namespace plimsoll {

/// A value whose live steps differ between two plans of one graph.
struct RangeChange
{
    std::string value;
    LiveRanges before; ///< Empty where it is in one of the two only.
    LiveRanges after;
    std::int64_t bytes = 0;      ///< Required.
    std::int64_t beforePeak = 0; ///< Of these, alive at the fullest step of the first plan…
    std::int64_t afterPeak = 0;  ///< …and of the second.
    std::string reason;          ///< Why it is kept, where it is: savingReasonId(), or "recomputed".
};

/// The values that are alive longer or shorter, by name, and no others: those with most bytes at either peak first,
/// then the largest.
[[nodiscard]] std::vector<RangeChange> changedRanges(const Report& before, const Report& after);

} // namespace plimsoll
