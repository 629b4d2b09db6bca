#pragma once

#include "core/graph/graph_builder.h"

namespace plimsoll::kernels {

/// A node with one output, called "v" and how many values there were before it.
inline ValueId addNode(GraphBuilder& builder, std::string op, ValueIds inputs, Attributes attributes = {})
{
    Node node;
    node.op = std::move(op);
    node.attributes = std::move(attributes);
    const std::string output = "v" + std::to_string(builder.graph().values.size());
    return builder.output(builder.addNode(std::move(node), std::move(inputs), {output}), 0);
}

} // namespace plimsoll::kernels
