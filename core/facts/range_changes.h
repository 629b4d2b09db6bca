#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// A value that is alive longer or shorter in another plan of its graph, or lies elsewhere there.
struct RangeChange
{
    std::string value;
    LiveRanges before; ///< Empty where it is in one of the two only.
    LiveRanges after;
    std::int64_t bytes = 0; ///< Required.
    /// Of the arenas alone: what it holds at the fullest step of its arena in the first plan…
    std::int64_t beforePeak = 0;
    std::int64_t afterPeak = 0; ///< …and in the second. Bytes that several values share are the first one's.
    std::string beforePlace;    ///< "cpu", "the caller", "prepared ahead", "fused away", "at run time"; empty: nowhere.
    std::string afterPlace;
    Message
        reason; ///< Why it is kept, or lies elsewhere: savingReasonId(), "recomputed", "depends on constants alone".
};

/// Those values, by name, and no others: those with most bytes at either peak first, then the largest.
[[nodiscard]] std::vector<RangeChange> changedRanges(const Report& before, const Report& after);

} // namespace plimsoll
