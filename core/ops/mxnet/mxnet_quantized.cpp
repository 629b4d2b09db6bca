#include "core/ops/mxnet/mxnet_families.h"

#include <algorithm>

namespace plimsoll::mxnet {

namespace {

/// Least and largest number of a quantised tensor: outputs 1 and 2.
void setRange(NodeFacts& facts)
{
    facts.set(1, DType::Float32, Dims {1});
    facts.set(2, DType::Float32, Dims {1});
}

void requireRanges(NodeFacts& facts, std::size_t first, std::size_t count)
{
    for (std::size_t i = first; i < first + count; ++i) {
        if (!facts.dims(i)) facts.require(i, DType::Float32, Dims {1});
    }
}

/// "auto": unsigned where the calibration says that nothing is negative.
DType quantizedType(const NodeFacts& facts, DType fallback)
{
    const Attributes& attributes = facts.node().attributes;
    if (textOf(attributes, "out_type", "auto") != "auto") return dtypeOf(attributes, "out_type", fallback);
    const bool calibrated = attributes.contains("min_calib_range") && attributes.contains("max_calib_range");
    return calibrated && realOf(attributes, "min_calib_range", -1) >= 0 ? DType::UInt8 : fallback;
}

/// Of the shape of the data, in the type that the calibration says.
Status inferCalibrated(NodeFacts& facts)
{
    setRange(facts);
    return facts.give(quantizedType(facts, DType::Int8), facts.dims(0));
}

/// As the counterpart, and the range.
Status inferWithRange(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferLayerAs(facts, DType::Unknown));
    setRange(facts);
    return {};
}

/// The tensors, without their ranges behind them.
Message tensorsOnly(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    const auto third = static_cast<std::int64_t>(node.inputs.size() / 3);
    const std::int64_t count = numberOf(node.attributes, "num_args", third);
    counterpart.inputs.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(count, 1, third)));
    return {};
}

Status inferQuantize(NodeFacts& facts)
{
    facts.set(0, dtypeOf(facts.node().attributes, "out_type", DType::UInt8), facts.dims(0));
    setRange(facts);
    requireRanges(facts, 1, 2);
    return {};
}

/// What a layer that was fused out of several (convolution, normalisation, activation, sum) gives.
DType fusedType(const NodeFacts& facts)
{
    const Attributes& attributes = facts.node().attributes;
    if (!flagOf(attributes, "quantized", false)) return facts.dtype(0);
    if (flagOf(attributes, "enable_float_output", false)) return DType::Float32;
    const bool calibrated = attributes.contains("min_calib_range") && attributes.contains("max_calib_range");
    if (!calibrated) return DType::Int32;
    const bool positive = realOf(attributes, "min_calib_range", -1) >= 0 || flagOf(attributes, "with_relu", false) ||
                          flagOf(attributes, "with_act", false);
    return positive ? DType::UInt8 : DType::Int8;
}

/// The shape rule of the layer inside, whose attributes the reader puts on the node.
Status inferLayer(NodeFacts& facts, DType dtype)
{
    const bool filter = facts.node().attributes.contains("num_filter");
    if (!filter && !facts.node().attributes.contains("num_hidden")) return {};
    PLIMSOLL_TRY(filter ? inferLayerAs(facts, DType::Unknown) : inferConnectedAs(facts, DType::Unknown));
    setRange(facts);
    return facts.give(dtype, dimsOf(facts.output(0).type));
}

/// Inputs: data, weight, bias, those of a BatchNorm, the other operand of a sum, ranges of what is quantised.
Status inferFused(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferLayer(facts, fusedType(facts)));
    std::size_t next = flag(facts, "no_bias", false) ? 2 : 3;
    if (flag(facts, "with_bn", false)) {
        for (std::size_t i = next; i < next + 4; ++i)
            facts.require(i, DType::Unknown, Dims {facts.attribute("num_filter", UnknownSize)});
        next += 4;
    }
    if (flag(facts, "with_sum", false)) {
        facts.require(next, DType::Unknown, dimsOf(facts.output(0).type));
        ++next;
    }
    if (flag(facts, "quantized", false))
        requireRanges(facts, next, facts.inputCount() - std::min(next, facts.inputCount()));
    return {};
}

/// Inputs: data, weight, bias, then three ranges. Sums of products are 32 bits wide.
Status inferQuantizedLayer(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferLayer(facts, DType::Int32));
    const std::size_t next = flag(facts, "no_bias", false) ? 2 : 3;
    requireRanges(facts, next, facts.inputCount() - std::min(next, facts.inputCount()));
    return {};
}

constexpr CounterpartRule Filtered {
    .op = "Conv", .attributes = FilterAttributes, .adapt = convolved, .typesOnly = true};
constexpr CounterpartRule Connected {.op = "Gemm", .attributes = "transB=|1", .adapt = connected, .typesOnly = true};

constexpr OpSchema MxnetQuantizedSchemas[] = {
    {.op = "_contrib_dequantize",
     .signature = "any any any",
     .infer = [](NodeFacts& facts) { return facts.give(DType::Float32, facts.dims(0)); }},
    {.op = "_contrib_quantize", .signature = "any any any -> 3", .infer = inferQuantize},
    {.op = "_contrib_quantize_v2",
     .signature = "any -> 3",
     .infer = inferCalibrated,
     .inPlace = First,
     .identity = true},
    {.op = "_contrib_quantized_act",
     .signature = "any any any -> 3",
     .infer = inferWithRange,
     .counterpart = {.op = "Identity", .adapt = tensorsOnly, .typesOnly = true}},
    {.op = "_contrib_quantized_concat",
     .signature = "any+ -> 3",
     .infer = inferWithRange,
     .counterpart = {.op = "Concat", .attributes = "axis=dim|1", .adapt = tensorsOnly, .typesOnly = true}},
    {.op = "_contrib_quantized_elemwise_add", .signature = "any any any any any any -> 3", .infer = inferCalibrated},
    {.op = "_contrib_quantized_conv",
     .signature = "any any+ -> 3",
     .infer = inferQuantizedLayer,
     .counterpart = Filtered},
    {.op = "_contrib_quantized_fully_connected",
     .signature = "any any+ -> 3",
     .infer = inferQuantizedLayer,
     .counterpart = Connected},
    {.op = "_contrib_quantized_flatten",
     .signature = "any any any -> 3",
     .infer = inferWithRange,
     .counterpart = {.op = "Flatten", .adapt = tensorsOnly, .typesOnly = true}},
    {.op = "_contrib_quantized_pooling",
     .signature = "any any any -> 3",
     .infer = inferWithRange,
     .counterpart = {.op = "MaxPool", .attributes = WindowAttributes, .adapt = pooled, .typesOnly = true}},
    {.op = "_contrib_requantize", .signature = "any any any -> 3", .infer = inferCalibrated},
    {.op = "_sg_mkldnn_conv", .signature = "any any+ -> 3", .infer = inferFused, .counterpart = Filtered},
    {.op = "_sg_mkldnn_fully_connected", .signature = "any any+ -> 3", .infer = inferFused, .counterpart = Connected},
};

} // namespace

constinit const OpFamily mxnetQuantizedOperators {"mxnet", MxnetQuantizedSchemas};

} // namespace plimsoll::mxnet
