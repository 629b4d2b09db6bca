#pragma once

#include "core/placement/placement.h"
#include "core/placement/search/section_search.h"

namespace plimsoll {

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

} // namespace plimsoll
