#pragma once

#include "core/picture/layout/layered_layout.h"

namespace plimsoll {

/// Lets \p edges, which go down past other boxes, pass beside these: each goes down through the free column that is
/// nearest to its ends; edges of one box may share it. Foreign clusters are passed like boxes. Edges that go up keep
/// their routes, and so do those after the first half million comparisons. Moves everything to the right where a column
/// is left of all boxes.
void routeAround(const LayoutProblem& problem, const std::vector<std::size_t>& edges, GraphLayout& layout);

/// Those of \p edges whose route runs over a box that is not one of its ends.
[[nodiscard]] std::vector<std::size_t> edgesOverBoxes(const LayoutProblem& problem,
                                                      const std::vector<std::size_t>& edges, const GraphLayout& layout);

} // namespace plimsoll
