#pragma once

#include "core/graph/graph.h"

#include <span>
#include <utility>
#include <vector>

namespace plimsoll {

/// Which value of one graph is which of another one.
struct ValueMatches
{
    std::vector<ValueId> second; ///< By ValueId of the first graph; invalid: there is none.
    std::vector<ValueId> first;  ///< By ValueId of the second.
    std::size_t byHand = 0;
    std::size_t byName = 0;
    std::size_t byStructure = 0; ///< Of other names: made by the same operator from the same values.

    [[nodiscard]] std::size_t onlyFirst() const { return second.size() - byHand - byName - byStructure; }
    [[nodiscard]] std::size_t onlySecond() const { return first.size() - byHand - byName - byStructure; }
};

/// Those of \p byHand, which is said of values of the first graph and of the second. Then by name. Then inputs of a
/// body that have the same position, role and type; and outputs of nodes with the same operator and the same inputs,
/// and what is fused into such nodes, in the order of both graphs. O(n log n).
[[nodiscard]] ValueMatches matchValues(const Graph& first, const Graph& second,
                                       std::span<const std::pair<ValueId, ValueId>> byHand = {});

} // namespace plimsoll
