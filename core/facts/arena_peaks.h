#pragma once

#include "core/facts/report.h"

#include <vector>

namespace plimsoll {

/// By ArenaId: MemoryUse::peaks. O(storages + steps).
[[nodiscard]] std::vector<ArenaPeak> arenaPeaks(const PlannedProgram& program);
/// That lie in an arena: MemoryUse::storages.
[[nodiscard]] std::int64_t plannedStorages(const PlannedProgram& program);

/// Where the peak is: "at step 118", and where it is a sum "(6.88 KiB in cuda:0 at step 11 + 2.38 KiB in cpu at step
/// 28)". Empty where nothing is planned.
[[nodiscard]] Message peakPlaces(const Report& report);

/// The step of the one arena in use; of several, the first with the most live bytes. -1 where there are no steps.
[[nodiscard]] std::int64_t peakStep(const Report& report);

} // namespace plimsoll
