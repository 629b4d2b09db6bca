#pragma once

#include "core/facts/report.h"

#include <vector>

namespace plimsoll {

/// How high one arena is, and when it is so high.
struct ArenaPeak
{
    ArenaId arena;
    std::int64_t bytes = 0; ///< Of the plan: the arena's height.
    /// Of those at which its highest byte is in use, the first with the most live bytes; -1: nothing lies there. Where
    /// something is kept at an address above holes, more may be alive at others.
    std::int64_t step = -1;
    std::int64_t liveBytes = 0; ///< Of that step, rounded to the arena's alignment.
};

/// By ArenaId. O(storages + steps).
[[nodiscard]] std::vector<ArenaPeak> arenaPeaks(const Report& report);

/// Where the peak is: "at step 118", and where it is a sum "(6.88 KiB in cuda:0 at step 11 + 2.38 KiB in cpu at step
/// 28)". Empty where nothing is planned.
[[nodiscard]] Message peakPlaces(const Report& report);

/// The step of the one arena in use; of several, the first with the most live bytes. -1 where there are no steps.
[[nodiscard]] std::int64_t peakStep(const Report& report);

} // namespace plimsoll
