#pragma once

#include "core/facts/report.h"

#include <vector>

namespace plimsoll {

/// One arena at one of the steps with the most live bytes. Its height is what the storages take, less the overlap, and
/// the holes, what is above, and what is reserved.
struct FullestMoment
{
    std::int64_t step = -1;      ///< -1: nothing lies there.
    std::vector<StorageId> live; ///< With bytes.
    std::int64_t overlap = 0;
    std::int64_t holes = 0;
    std::int64_t above = 0; ///< Negative where a plan says less than what lies there.
    std::int64_t reserved = 0;
};

/// As it counts for the peak: what the plan states, or more where something ends above that.
[[nodiscard]] std::int64_t arenaHeight(const Report& report, ArenaId arena);

/// What a storage takes of its arena: rounded up to its alignment.
[[nodiscard]] std::int64_t roundedBytes(const Report& report, const Storage& storage);

/// Steps with the most live bytes, rising. Empty where nothing lies there.
[[nodiscard]] std::vector<std::int64_t> fullestSteps(const Report& report, ArenaId arena);

/// \p step: one of those, or -1.
[[nodiscard]] FullestMoment momentAt(const Report& report, ArenaId arena, std::int64_t step);

} // namespace plimsoll
