#pragma once

#include "core/placement/placement.h"
#include "core/placement/search.h"
#include "core/placement/section_search.h"

namespace plimsoll {

/// A place of its own for every buffer, one after the other.
[[nodiscard]] Result<Plan> placeWithoutReuse(const Problem& problem, const Context& context);

/// MXNet's sized blocks: a freed block is handed on whole, to a request within the match range of Problem::blockRule:
/// of those that are large enough the smallest, or else the largest, which grows. Source: the plan-memory pass of
/// apache/mxnet v1.x (src/nnvm/plan_memory.cc). Gaps in live ranges are not used.
[[nodiscard]] Result<Plan> placeInSizedBlocks(const Problem& problem, const Context& context);

/// An empty plan with an allocation, and the pins, for every buffer.
[[nodiscard]] Plan startPlan(const Problem& problem, std::string_view algorithm);

/// Puts a buffer down and lifts the top of its arena.
void putDown(const Problem& problem, Plan& plan, BufferId buffer, std::int64_t offset);

/// The highest end of the pins of each arena, by ArenaId.
[[nodiscard]] std::vector<std::int64_t> pinnedTops(const Problem& problem);

/// One way to choose offsets. Arenas never influence each other. Exactly one of run, pack and members is meant.
struct PlacementAlgorithm
{
    std::string_view id; ///< A value of the policy "placement".
    /// Of a problem that was checked, as a whole. Errors: stopped.
    Result<Plan> (*run)(const Problem&, const Context&) = nullptr;
    /// Of one arena. Nothing when the budget is over.
    std::optional<Packing> (*pack)(const Section&, Budget&) = nullptr;
    Members members; ///< Of a search.
};

/// Null when there is none.
[[nodiscard]] const PlacementAlgorithm* findAlgorithm(std::string_view id);

/// The plan of an algorithm that packs one arena at a time.
[[nodiscard]] Result<Plan> packEach(const Problem& problem, const PlacementAlgorithm& algorithm,
                                    const Context& context);

/// The sweep that takes the lowest holes; where buffers are pinned, first-fit by step.
[[nodiscard]] std::optional<Packing> firstPacking(const Section& section, Budget& budget);
/// The lower of that and the sweep that takes the tightest holes.
[[nodiscard]] std::optional<Packing> bothSweeps(const Section& section, Budget& budget);

/// Why no plan of \p arena is below \p needed bytes, as far as load and pins tell.
[[nodiscard]] CapacityShortfall explainShortfall(const Problem& problem, ArenaId arena, std::int64_t needed);

} // namespace plimsoll
