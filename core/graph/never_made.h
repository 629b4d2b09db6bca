#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// Whether nothing makes the value: a pass has merged its node with another one, or dropped it. What is computed ahead
/// of the run is a constant.
[[nodiscard]] inline bool isNeverMade(const Graph& graph, ValueId id)
{
    const Value& value = graph[id];
    return value.role == ValueRole::Intermediate && value.producer.valid() && graph.decided[value.producer].ahead;
}

} // namespace plimsoll
