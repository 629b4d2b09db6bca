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
    if (x->size() < 2) return facts.error(say("ops.input-channels-axis", describe(facts.type(0))));
    const Message because = say(groups < 0 ? "ops.one-a-channel" : "ops.one-a-group", describe(facts.type(0)));
    for (std::size_t input = 1; input <= lastInput; ++input)
        PLIMSOLL_TRY(checkNumbers(facts, input, groups < 0 ? (*x)[1] : groups, because));
    return {};
}

/// Mean and inverse deviation of each group of each sample, which PyTorch keeps for backward and the standard does not
/// have: only a graph that is differentiated names them.
Status inferKeptStatistics(NodeFacts& facts, std::int64_t groups)
{
    const int outputs = countPresent(facts.node().outputs);
    if (outputs > 1 && !facts.graph().loss.valid())
        return facts.error(say("ops.output-count", outputs, *facts.node().op, word::Number {1}));
    const Dims each = {sizeAt(facts.dims(0), 0), groups};
    const DType kept = facts.dtype(0) == DType::Float64 ? DType::Float64 : DType::Float32;
    for (std::size_t i = 1; i < facts.outputCount(); ++i)
        facts.set(i, kept, facts.dims(0) ? std::optional(each) : std::nullopt);
    return {};
}

/// Before 21 scale and bias have one number for each group.
Status inferGroupNormalization(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    PLIMSOLL_TRY(inferKeptStatistics(facts, facts.attribute("num_groups", 1)));
    const std::int64_t groups = facts.attribute("num_groups", 1);
    const std::int64_t channels = sizeAt(facts.dims(0), 1);
    if (groups < 1 || (channels >= 0 && channels % groups != 0))
        return facts.error(say("ops.channels-cannot-divided", describe(facts.type(0)), word::Number {groups}));
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
        if (!axis) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
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

/// All elements along the axis; before opset 13 along all axes from it on.
AccessMap softmaxAccess(NodeFacts& facts, std::size_t, std::size_t)
{
    const bool one = facts.opset() >= 13;
    const auto dims = facts.dims(0);
    const auto axis = dims ? normalAxis(facts.attribute("axis", one ? -1 : 1), dims->size()) : std::nullopt;
    if (!axis) return {};
    AccessMap map = sameIndex(dims->size());
    for (std::size_t i = *axis; i < (one ? *axis + 1 : dims->size()); ++i)
        map.axes[i] = {};
    return map;
}

constexpr OpSchema NormalizationSchemas[] = {
    {.op = "BatchNormalization",
     .signature = "float float float float float -> 5",
     .infer = inferBatchNormalization,
     .grows = AllInputs,
     .inPlace = First,
     .traitsHold = usesStoredStatistics,
     .derivative = R"(
        (self, weight, bias, running_mean, running_var) -> result, new_mean, new_var, save_mean, save_invstd when attribute training_mode 1 = aten::batch_norm
          joint
          self: with(with(normalized_batch_back(g * per_channel(weight), self), held(running_mean)), held(save_mean))
          weight: with(with(channels(g * normalized_batch(self)), held(running_var)), held(save_invstd))
          bias: channels(g)
        (self, weight, bias, running_mean, running_var)
          joint
          self: g * per_channel(weight / sqrt(running_var + attr(epsilon, 0.00001)))
          weight: channels(g * (self - per_channel(running_mean)) / per_channel(sqrt(running_var + attr(epsilon, 0.00001))))
          bias: channels(g))"},
    {.op = "GroupNormalization",
     .signature = "float float float -> 3",
     .infer = inferGroupNormalization,
     .grows = AllInputs,
     .cheap = true,
     .derivative = R"(
        (self, weight, bias) -> result, mean, rstd = aten::group_norm
          joint
          self: with(normalized_groups_back(g * per_channel(weight), self), held(mean))
          weight: with(channels(g * normalized_groups(self)), held(rstd))
          bias: channels(g))"},
    {.op = "Hardmax", .signature = "float", .infer = inferLikeFirstAlongAxis, .grows = AllInputs},
    {.op = "InstanceNormalization",
     .signature = "float:T float:T float:T -> 3",
     .infer = [](NodeFacts& facts) -> Status {
         facts.setType(0, facts.type(0));
         PLIMSOLL_TRY(inferKeptStatistics(facts, sizeAt(facts.dims(0), 1)));
         return checkChannels(facts, 2, UnknownSize);
     },
     .grows = AllInputs,
     .cheap = true,
     .derivative = R"(
        (self, weight, bias) -> result, save_mean, save_invstd = aten::instance_norm
          joint
          self: with(normalized_instances_back(g * per_channel(weight), self), held(save_mean))
          weight: with(channels(g * normalized_instances(self)), held(save_invstd))
          bias: channels(g))"},
    {.op = "LRN",
     .signature = "float",
     .infer = inferLikeFirst,
     .grows = AllInputs,
     .choices = {{"size", AttributeChoice::Positive, true}},
     .cheap = true},
    {.op = "LayerNormalization",
     .signature = "float float float? -> 3",
     .infer = inferLayerNormalization,
     .grows = AllInputs,
     .cheap = true,
     .derivative = R"(
        (self, weight, bias?) -> result, mean, rstd = aten::layer_norm
          joint
          self: with(with(normalized_rows_back(g * weight, self), held(bias)), held(mean))
          weight: with(g * normalized_rows(self), held(rstd))
          bias: g)"},
    {.op = "LogSoftmax",
     .signature = "float",
     .infer = inferLikeFirstAlongAxis,
     .grows = AllInputs,
     .access = softmaxAccess,
     .inPlace = First,
     .derivative = "(self) -> result = aten::log_softmax; self: g - exp(result) * along(g)"},
    {.op = "LpNormalization",
     .signature = "float",
     .infer = inferLikeFirstAlongAxis,
     .grows = AllInputs,
     .choices = {{"p", "1|2"}},
     .cheap = true},
    {.op = "MeanVarianceNormalization",
     .signature = "float",
     .infer = inferLikeFirst,
     .grows = AllInputs,
     .cheap = true},
    {.op = "RMSNormalization",
     .signature = "float float",
     .infer = inferLayerNormalization,
     .grows = AllInputs,
     .cheap = true,
     .derivative = R"(
        (self, weight) = aten::rms_norm
          joint
          self: scaled_rows_back(g * weight, self)
          weight: g * scaled_rows(self))"},
    {.op = "SimplifiedLayerNormalization",
     .signature = "float float -> 2",
     .infer = inferLayerNormalization,
     .grows = AllInputs},
    {.op = "Softmax",
     .signature = "float",
     .infer = inferLikeFirstAlongAxis,
     .grows = AllInputs,
     .access = softmaxAccess,
     .inPlace = First,
     .derivative = "(self) -> result = aten::softmax; self: result * (g - along(g * result))"},
};

} // namespace

constinit const OpFamily normalizationOperators {"", NormalizationSchemas};

} // namespace plimsoll::ops
