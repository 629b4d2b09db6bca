#pragma once

#include "core/base/result.h"
#include "core/formats/packing_csv.h"
#include "core/graph/graph.h"

#include <string>

namespace plimsoll {

/// A placement problem as a graph, so that it can be planned, judged and looked at like any other: one node for each
/// time at which buffers are born, which writes them, and which reads those that die before the next. Two values are
/// alive together in it exactly when their buffers are, gaps apart: a value stays through them.
///
///     id,lower,upper,size          t=0: a        a [0, 7)
///     a,0,7,64               →     t=5: b = Step(a)
///     b,5,9,32
[[nodiscard]] Result<Graph> packingGraph(const PackingTable& table, std::string name);

} // namespace plimsoll
