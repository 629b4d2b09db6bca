#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace plimsoll::fx {

/// Compares the printed type of every value with what follows for its operator from the printed types of its inputs.
/// \p places: where each node comes from, by NodeId. An Error is the first contradiction, with its place.
[[nodiscard]] Status checkPrintedTypes(const Graph& graph, const std::vector<std::string>& places);

} // namespace plimsoll::fx
