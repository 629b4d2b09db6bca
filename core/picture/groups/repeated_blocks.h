#pragma once

#include "core/picture/groups/flow_cuts.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace plimsoll {

/// A sequence that repeats, maybe with small differences; one turn stands behind the other:
///
///     x y ┊ a b c d e f ┊ a b c d e f ┊ a b c X d e f ┊ a c d e f ┊ z        begin 2, period 6, ends 8 14 21 26
struct RepeatedBlocks
{
    std::size_t begin = 0;
    std::size_t period = 0; ///< Items of the turn that the others are like.
    std::size_t count = 0;
    std::vector<std::size_t> ends; ///< Of each turn.
};

/// Finds the layers of a network in the flat list of its operators: what explains the longest run, then the same to the
/// left and to the right of it. Sorted, disjoint.
///
/// Every item is compared with the one a period later, for all periods from 4 on, up to a bounded amount of work. The
/// longest run of equal ones are turns without a difference; the run of most equal and few unequal ones begins turns
/// that differ (G. Benson, "Tandem repeats finder", Nucleic Acids Research 27, 1999). From there turns are followed to
/// both sides (near_turns.h). Differing turns are taken where they explain clearly more than equal ones do.
///
/// With \p flow, turns begin where least of it is cut through; else the first one begins with the run.
[[nodiscard]] std::vector<RepeatedBlocks> findRepeatedBlocks(const std::vector<std::string_view>& items,
                                                             const RunFlow& flow = {});

} // namespace plimsoll
