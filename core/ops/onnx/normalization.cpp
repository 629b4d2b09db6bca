#include "core/ops/onnx/op_families.h"
#include "core/ops/onnx_dtype.h"
#include "core/ops/rules/parameters.h"

namespace plimsoll::ops {

namespace {

/// Scale, bias and what else has one number for each channel (axis 1), or for each group of them.
Status checkChannels(const NodeFacts& facts, std::size_t lastInput, std::int64_t groups)
{
    const auto x = facts.dims(0);
    if (!x) return {};
    if (x->size() < 2) return facts.error("The input " + describe(facts.type(0)) + " has no channels (axis 1).");
    const std::string because =
        (groups < 0 ? "one for each channel of " : "one for each group of ") + describe(facts.type(0));
    for (std::size_t input = 1; input <= lastInput; ++input)
        PLIMSOLL_TRY(checkNumbers(facts, input, groups < 0 ? (*x)[1] : groups, because));
    return {};
}

Status inferInstanceNormalization(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    return checkChannels(facts, 2, UnknownSize);
}

/// Before 21 scale and bias have one number for each group.
Status inferGroupNormalization(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    const std::int64_t groups = facts.attribute("num_groups", 1);
    const auto x = facts.dims(0);
    const std::int64_t channels = x && x->size() > 1 ? (*x)[1] : UnknownSize;
    if (groups < 1 || (channels >= 0 && channels % groups != 0))
        return facts.error("The channels of " + describe(facts.type(0)) + " cannot be divided into " +
                           std::to_string(groups) + " groups.");
    return checkChannels(facts, 2, facts.opset() < 21 ? groups : UnknownSize);
}

/// Before 14 the further outputs are running and saved mean and variance, later the running ones only.
Status inferBatchNormalization(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    if (facts.attribute("spatial", 1) != 0) PLIMSOLL_TRY(checkChannels(facts, 4, UnknownSize));
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
    PLIMSOLL_TRY(checkStretches(facts, 1));
    PLIMSOLL_TRY(checkStretches(facts, 2));
    const DType stash = dtypeAttribute(facts.node(), "stash_type", DType::Float32);
    for (std::size_t i = 1; i < facts.outputCount(); ++i)
        facts.set(i, stash, dims);
    return {};
}

const OpSchema Schemas[] = {
    {.op = "BatchNormalization", .infer = inferBatchNormalization, .inPlace = 1, .traitsHold = usesStoredStatistics},
    {.op = "GroupNormalization", .infer = inferGroupNormalization},
    {.op = "Hardmax", .infer = inferLikeFirstAlongAxis},
    {.op = "InstanceNormalization", .infer = inferInstanceNormalization},
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
