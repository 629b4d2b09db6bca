#pragma once

#include "core/facts/report.h"

#include <vector>

namespace plimsoll {

/// Why an arena is as high as it is.
///
///     bytes
///      top | +-- c --+              on top: c
///          | +-- b -----+           tower: c rests on b, b on a
///          | ····+-- a --+
///        0 +-----------------> step
struct PeakCauses
{
    ArenaId arena;
    std::int64_t peakBytes = 0;
    std::int64_t lowerBoundBytes = 0;
    std::int64_t fullestStep = 0;  ///< The first one with the most live bytes of the arena…
    std::int64_t fullestBytes = 0; ///< …and those, rounded to its alignment.
    std::vector<StorageId> live;   ///< Alive then, the biggest first.
    std::int64_t highestStep = 0;  ///< The first one at which the top is in use…
    std::int64_t liveThere = 0;    ///< …and the bytes that are alive then, rounded.
    std::vector<StorageId> onTop;  ///< What ends at the top, by first step.
    /// From the first of those downwards: each begins where the next ends, and is alive together with it.
    std::vector<StorageId> tower;
    LiveRanges aboveBound; ///< As stepsAboveBound() says, of this arena.
};

/// Steps at which some arena has bytes above its lower bound in use.
[[nodiscard]] LiveRanges stepsAboveBound(const Report& report);

/// By ArenaId. O(n log n).
[[nodiscard]] std::vector<PeakCauses> explainPeak(const Report& report);

} // namespace plimsoll
