#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace plimsoll {

/// Which value of one graph is which of another one.
struct ValueMatches
{
    std::vector<ValueId> second; ///< By ValueId of the first graph; invalid: there is none.
    std::vector<ValueId> first;  ///< By ValueId of the second.
    std::size_t byName = 0;
    std::size_t byStructure = 0; ///< Of other names: made by the same operator from the same values.

    [[nodiscard]] std::size_t onlyFirst() const { return second.size() - byName - byStructure; }
    [[nodiscard]] std::size_t onlySecond() const { return first.size() - byName - byStructure; }
};

/// By name. Then inputs of a body that have the same position, role and type; and outputs of nodes with the same
/// operator and the same inputs, and what is fused into such nodes, in the order of both graphs. O(n log n).
[[nodiscard]] ValueMatches matchValues(const Graph& first, const Graph& second);

} // namespace plimsoll
