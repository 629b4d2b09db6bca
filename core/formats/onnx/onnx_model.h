#pragma once

#include "core/formats/reading_room.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::onnx {

/// An ONNX model as the file says it, by names: messages of onnx.proto without what is not used.

struct Tensor
{
    std::string name;
    TensorLiteral literal;
    std::optional<std::int64_t> kept {}; ///< Of one that the file has sparse: how many elements it lists.
};

struct ValueInfo
{
    std::string name;
    TensorType type;
};

struct GraphMessage;

struct AttributeMessage
{
    std::string name;
    std::string reference; ///< In a function: the attribute of the caller that is meant.
    Attribute value;
    std::optional<Tensor> sparse; ///< What \c value was before every element was written down.
    bool isGraph = false;         ///< A GRAPH or GRAPHS attribute: \c graphs holds it, \c value nothing.
    std::vector<GraphMessage> graphs;
};

struct NodeMessage
{
    std::string name;
    std::string op;
    std::string domain; ///< "" for "ai.onnx" too.
    std::string overload;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<AttributeMessage> attributes;
    std::string source; ///< "model.py:12 in Block.forward", of files that PyTorch exported.
    std::string module; ///< "blocks.0"
};

/// Whether its nested graphs are branches. These have no inputs: what a file lists as such is a value around them.
inline bool hasBranches(const NodeMessage& node)
{
    return node.op == "If" && node.domain.empty();
}

/// What the node takes until it stands in a graph, its attributes apart.
[[nodiscard]] inline std::size_t roomOfNames(const NodeMessage& node)
{
    std::size_t bytes = ReadingRoom::Node + node.outputs.size() * ReadingRoom::Value + 2 * node.name.size();
    for (const auto* names : {&node.inputs, &node.outputs}) {
        for (const std::string& name : *names)
            bytes += ReadingRoom::Name + 2 * name.size();
    }
    return bytes;
}

struct GraphMessage
{
    std::string name;
    std::deque<NodeMessage> nodes;
    std::deque<Tensor> initializers; ///< The sparse ones, too.
    std::deque<ValueInfo> inputs;
    std::deque<ValueInfo> outputs;
    std::deque<ValueInfo> valueInfos;
};

using Opsets = std::map<std::string, std::int64_t>;

/// A function local to the model: a node whose domain, op and overload name it stands for its nodes.
struct FunctionMessage
{
    std::string name;
    std::string domain;
    std::string overload;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<AttributeMessage> defaults;
    std::deque<NodeMessage> nodes;
    Opsets opsets;
};

struct Model
{
    std::int64_t irVersion = 0;
    Opsets opsets;
    std::optional<GraphMessage> graph;
    std::vector<FunctionMessage> functions;
};

} // namespace plimsoll::onnx
