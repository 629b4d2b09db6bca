#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// Whether a node is of the standard's own operators.
[[nodiscard]] inline bool isStandard(const Node& node)
{
    return node.domain.empty() || node.domain == "ai.onnx";
}

} // namespace plimsoll
