#pragma once

#include "core/facts/compare/value_matches.h"
#include "core/facts/report.h"

namespace plimsoll {

/// A value that is alive longer or shorter in another plan of its graph, or lies elsewhere or with others there.
struct RangeChange
{
    std::string value;
    ValueId idBefore {}; ///< In the first plan…
    ValueId id {};       ///< …and in the second; invalid: it is not there.
    LiveRanges before;   ///< Empty where it is in one of the two only.
    LiveRanges after;
    std::int64_t bytes = 0; ///< Required.
    /// Of the arenas alone: what it holds at the fullest step of its arena in the first plan…
    std::int64_t beforePeak = 0;
    std::int64_t afterPeak = 0; ///< …and in the second. Bytes that several values share are the first one's.
    std::string beforePlace;    ///< "cpu", "the caller", "prepared ahead", "fused away", "never made", "at run time";
                                ///< empty: nowhere.
    std::string afterPlace;
    std::string beforeHost; ///< The value that brought the bytes, where that is another one; it is told where it parts…
    std::string afterHost; ///< …from this value, or joins it.
    Message reason; ///< Why it is kept, parted, or lies elsewhere: savingReasonId(), "recomputed", a decision's reason.
};

/// Those values, and no others: those with most bytes at either peak first, then the largest.
[[nodiscard]] std::vector<RangeChange> changedRanges(const Report& before, const Report& after,
                                                     const ValueMatches& matches);

} // namespace plimsoll
