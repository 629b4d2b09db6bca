#pragma once

#include "core/plan/problem.h"

namespace plimsoll {

/// What a buffer takes in its arena.
[[nodiscard]] std::int64_t roundedBytes(const Problem& problem, const Buffer& buffer);

/// By step of [0, steps): bytes of all buffers of \p arena that are alive, rounded.
[[nodiscard]] std::vector<std::int64_t> liveBytes(const Problem& problem, ArenaId arena, std::int64_t steps);

/// By ArenaId: the most bytes alive at any step, rounded, or the highest pin. No plan is lower.
[[nodiscard]] std::vector<std::int64_t> lowerBounds(const Problem& problem);

/// By ArenaId: the sum of all buffers, rounded.
[[nodiscard]] std::vector<std::int64_t> noReuseBytes(const Problem& problem);

} // namespace plimsoll
