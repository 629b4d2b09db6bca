#include "core/ops/cheap_ops.h"

#include "core/ops/op_schema.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

/// Beside what works element by element, which an operator says by being able to work in place.
constexpr std::array Cheap = {
    // normalization and activations along an axis
    "BatchNormalization", "GroupNormalization", "InstanceNormalization", "LayerNormalization", "LogSoftmax", "LRN",
    "MeanVarianceNormalization", "RMSNormalization", "Softmax", "LpNormalization", "PRelu", "BatchNorm", "LayerNorm",
    "InstanceNorm", "GroupNorm", "softmax", "log_softmax", "Activation", "LeakyReLU", "SoftmaxActivation",
    // pooling
    "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "LpPool", "MaxPool", "Pooling",
    // reductions
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
    "ReduceSum", "ReduceSumSquare", "Sum", "Mean", "Max", "Min", "sum", "mean",
    // other shapes of the same elements
    "Cast", "CastLike", "Expand", "Flatten", "Identity", "Pad", "Reshape", "Slice", "Squeeze", "Tile", "Transpose",
    "Unsqueeze", "Where", "broadcast_to", "transpose", "slice", "expand_dims"};

} // namespace

bool isCheap(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    if (!node.bodies.empty() || !isKnownOperator(graph, id) || !isPure(graph, id) || !computes(graph, id)) return false;
    const OpSchema* schema = findSchema(node.domain, node.op);
    if (schema && (schema->inPlace != 0 || schema->identity)) return true;
    return std::find(Cheap.begin(), Cheap.end(), node.op) != Cheap.end();
}

} // namespace plimsoll
