#pragma once

#include "core/graph/graph.h"
#include "core/ops/partial_tensor.h"

#include <optional>
#include <vector>

namespace plimsoll {

/// What an input of a node must hold: elements that may be anything are left open.
struct InputContent
{
    std::size_t input = 0;
    std::vector<std::optional<Scalar>> elements;
};

/// What the inputs of a node of ONNX must hold so that its outputs get the sizes that their types have, as far as they
/// are no constants and that follows from the sizes: the shape of a Reshape, the ends of a Slice, the k of a TopK.
/// Where the sizes leave a choice, the simplest content; where a size is unknown, one that the operator accepts.
[[nodiscard]] std::vector<InputContent> shapeInputs(const Graph& graph, NodeId node);

} // namespace plimsoll
