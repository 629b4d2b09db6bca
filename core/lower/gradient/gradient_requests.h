#pragma once

#include "core/graph/graph.h"

#include <map>
#include <string>

namespace plimsoll {

/// Says of every variable what becomes of its gradient: what \p named says by its name, what its file says, and
/// \p otherwise, in that order. A variable that is named requires a gradient; null requires none. BadUsage: a name that
/// is no input or parameter of floating point.
[[nodiscard]] Status settleGradientRequests(Graph& graph, const std::map<std::string, GradientRequest>& named,
                                            GradientRequest otherwise);

} // namespace plimsoll
