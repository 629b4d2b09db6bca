#pragma once

#include "core/placement/placement.h"

namespace plimsoll {

/// A place of its own for every buffer, one after the other.
[[nodiscard]] Result<Plan> placeWithoutReuse(const Problem& problem, const Context& context);

/// In order of the first step (larger first among equals), each at the lowest hole between the buffers that are alive.
[[nodiscard]] Result<Plan> placeFirstFitByStep(const Problem& problem, const Context& context);

/// Largest first (earlier first among equals), each into the tightest hole between the placed buffers it overlaps in
/// time, or on top of them.
[[nodiscard]] Result<Plan> placeBestFitBySize(const Problem& problem, const Context& context);

/// MXNet's sized blocks: freed blocks are handed on whole, to a request of at least 1/16 and at most 16 times their
/// size: the smallest that is large enough, or else the largest, which grows. Source: the plan-memory pass of
/// apache/mxnet v1.x (src/nnvm/graph_algorithm.h), match range 16. Gaps in live ranges are not used.
[[nodiscard]] Result<Plan> placeInSizedBlocks(const Problem& problem, const Context& context);

/// Ids of the buffers by first step, then larger first, then id.
[[nodiscard]] std::vector<BufferId> inOrderOfStep(const Problem& problem);

/// An empty plan with an allocation, and the pins, for every buffer.
[[nodiscard]] Plan startPlan(const Problem& problem, std::string_view algorithm);

/// Puts a buffer down and lifts the top of its arena.
void putDown(const Problem& problem, Plan& plan, BufferId buffer, std::int64_t offset);

/// The highest end of the pins of each arena, by ArenaId.
[[nodiscard]] std::vector<std::int64_t> pinnedTops(const Problem& problem);

/// Offsets that \p buffer cannot use, from \p blockers in order of offset.
struct Occupied
{
    std::int64_t offset = 0;
    std::int64_t end = 0;
};
/// The lowest multiple of \p alignment with \p bytes free above it.
[[nodiscard]] std::int64_t lowestHole(std::span<const Occupied> occupied, std::int64_t bytes, std::int64_t alignment);
/// The start of the smallest hole that is large enough; on top of everything where there is none.
[[nodiscard]] std::int64_t tightestHole(std::span<const Occupied> occupied, std::int64_t bytes, std::int64_t alignment);

} // namespace plimsoll
