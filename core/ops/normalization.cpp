#include "core/ops/families.h"
#include "core/ops/onnx_dtype.h"

namespace plimsoll::ops {

namespace {

/// Before 14 the further outputs are running and saved mean and variance, later the running ones only.
Status inferBatchNormalization(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    for (std::size_t i = 1; i < facts.outputCount(); ++i) {
        const std::size_t like = i % 2 == 1 ? 3 : 4;
        facts.setType(i, facts.type(like));
    }
    return {};
}

bool usesStoredStatistics(const Graph& graph, const Node& node)
{
    const std::int64_t version = opsetOf(graph, node);
    if (version >= 14) return attributeOr<std::int64_t>(node, "training_mode", 0) == 0;
    if (version < 7) return attributeOr<std::int64_t>(node, "is_test", 0) != 0;
    return node.outputs.size() == 1;
}

/// The input, then mean and inverse deviation of what is normalised together: 1 from the axis on.
Status inferLayerNormalization(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    auto dims = facts.dims(0);
    if (dims) {
        const auto axis = normalAxis(facts.attribute("axis", -1), dims->size());
        if (!axis) return facts.error("The axis is outside of " + describe(facts.type(0)) + ".");
        for (std::size_t i = *axis; i < dims->size(); ++i)
            (*dims)[i] = 1;
    }
    const DType stash = dtypeAttribute(facts.node(), "stash_type", DType::Float32);
    for (std::size_t i = 1; i < facts.outputCount(); ++i)
        facts.set(i, stash, dims);
    return {};
}

const OpSchema Schemas[] = {
    {.op = "BatchNormalization", .infer = inferBatchNormalization, .inPlace = 1, .traitsHold = usesStoredStatistics},
    {.op = "GroupNormalization", .infer = inferLikeFirst},
    {.op = "Hardmax", .infer = inferLikeFirstAlongAxis},
    {.op = "InstanceNormalization", .infer = inferLikeFirst},
    {.op = "LRN", .infer = inferLikeFirst},
    {.op = "LayerNormalization", .infer = inferLayerNormalization},
    {.op = "LogSoftmax", .infer = inferLikeFirstAlongAxis, .inPlace = 1},
    {.op = "LpNormalization", .infer = inferLikeFirstAlongAxis},
    {.op = "MeanVarianceNormalization", .infer = inferLikeFirst},
    {.op = "RMSNormalization", .infer = inferLayerNormalization},
    {.op = "SimplifiedLayerNormalization", .infer = inferLayerNormalization},
    {.op = "Softmax", .infer = inferLikeFirstAlongAxis, .inPlace = 1},
};

} // namespace

std::span<const OpSchema> normalizationSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
