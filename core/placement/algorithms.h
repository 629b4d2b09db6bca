#pragma once

#include "core/placement/placement.h"

namespace plimsoll {

/// A place of its own for every buffer, one after the other.
[[nodiscard]] Result<Plan> placeWithoutReuse(const Problem& problem, const Context& context);

/// An empty plan with an allocation, and the pins, for every buffer.
[[nodiscard]] Plan startPlan(const Problem& problem, std::string_view algorithm);

/// Puts a buffer down and lifts the top of its arena.
void putDown(const Problem& problem, Plan& plan, BufferId buffer, std::int64_t offset);

/// The highest end of the pins of each arena, by ArenaId.
[[nodiscard]] std::vector<std::int64_t> pinnedTops(const Problem& problem);

} // namespace plimsoll
