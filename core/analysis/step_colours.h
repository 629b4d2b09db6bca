#pragma once

#include "core/graph/schedule.h"

#include <cstdint>
#include <vector>

namespace plimsoll {

/// By step: the colour of the node that works then, such that nodes of one colour cannot run at the same time.
///
/// The longest path of nodes gets colour 0, the one with most nodes that have no colour yet gets 1, and so on; whatever
/// is left gets the last of \p colours. What is inside an owner has the owner's colour. Empty for one colour.
///
///     p → a → b → c → join        p a b c join 0
///     p → d → e     → join        d e          1
///
/// Source: the node colouring of MXNet's planner (apache/mxnet v1.x, src/nnvm/graph_algorithm.h): of several paths that
/// are equally good the one that begins last in the schedule, and goes on to the reader that comes last.
[[nodiscard]] std::vector<std::int32_t> colourSteps(const Graph& graph, const Schedule& schedule, std::int64_t colours);

} // namespace plimsoll
