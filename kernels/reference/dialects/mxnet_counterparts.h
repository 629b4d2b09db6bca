#pragma once

#include "core/graph/graph.h"

#include <string_view>

namespace plimsoll::kernels {

/// The operator of ONNX that makes of the same inputs, without any attribute, what a node of MXNet makes of them; empty
/// where there is none. What only keeps its elements and takes the shape of its output is Identity.
[[nodiscard]] std::string_view plainCounterpart(const Node& node);

} // namespace plimsoll::kernels
