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

Status inferQuantizeV2(NodeFacts& facts)
{
    facts.set(0, quantizedType(facts, DType::Int8), facts.dims(0));
    setRange(facts);
    return {};
}

Status inferQuantize(NodeFacts& facts)
{
    facts.set(0, dtypeOf(facts.node().attributes, "out_type", DType::UInt8), facts.dims(0));
    setRange(facts);
    requireRanges(facts, 1, 2);
    return {};
}

Status inferRequantize(NodeFacts& facts)
{
    facts.set(0, quantizedType(facts, DType::Int8), facts.dims(0));
    setRange(facts);
    return {};
}

Status inferDequantize(NodeFacts& facts)
{
    facts.set(0, DType::Float32, facts.dims(0));
    return {};
}

/// Data and its range; the output has the data's type.
Status inferQuantizedUnary(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims && !dims->empty() && facts.node().op == "_contrib_quantized_flatten")
        dims = Dims {dims->front(), product(*dims, 1, dims->size())};
    facts.set(0, facts.dtype(0), dims);
    setRange(facts);
    return {};
}

Status inferQuantizedSum(NodeFacts& facts)
{
    facts.set(0, quantizedType(facts, DType::Int8), facts.dims(0));
    setRange(facts);
    return {};
}

/// Inputs: the tensors, then the ranges.
Status inferQuantizedConcat(NodeFacts& facts)
{
    const std::int64_t count = facts.attribute("num_args", static_cast<std::int64_t>(facts.inputCount() / 3));
    auto dims = facts.dims(0);
    for (std::int64_t i = 1; dims && i < count; ++i) {
        const auto next = facts.dims(static_cast<std::size_t>(i));
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "dim", 1, dims->size()));
        const bool fits = next && next->size() == dims->size();
        const std::int64_t a = (*dims)[axis];
        const std::int64_t b = fits ? (*next)[axis] : UnknownSize;
        (*dims)[axis] = a < 0 || b < 0 ? UnknownSize : known(SafeInt(a) + b);
    }
    facts.set(0, facts.dtype(0), dims);
    setRange(facts);
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
    PLIMSOLL_TRY(filter ? inferConvolutionAs(facts, DType::Unknown) : inferFullyConnectedAs(facts, DType::Unknown));
    facts.set(0, dtype, dimsOf(facts.output(0).type));
    setRange(facts);
    return {};
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

constexpr OpSchema Schemas[] = {
    {.op = "_contrib_dequantize", .signature = "any any any", .infer = inferDequantize},
    {.op = "_contrib_quantize", .signature = "any any any -> 3", .infer = inferQuantize},
    {.op = "_contrib_quantize_v2",
     .signature = "any -> 3",
     .infer = inferQuantizeV2,
     .inPlace = First,
     .identity = true},
    {.op = "_contrib_quantized_act", .signature = "any any any -> 3", .infer = inferQuantizedUnary},
    {.op = "_contrib_quantized_concat", .signature = "any+ -> 3", .infer = inferQuantizedConcat},
    {.op = "_contrib_quantized_elemwise_add", .signature = "any any any any any any -> 3", .infer = inferQuantizedSum},
    {.op = "_contrib_quantized_conv", .signature = "any any+ -> 3", .infer = inferQuantizedLayer},
    {.op = "_contrib_quantized_fully_connected", .signature = "any any+ -> 3", .infer = inferQuantizedLayer},
    {.op = "_contrib_quantized_flatten", .signature = "any any any -> 3", .infer = inferQuantizedUnary},
    {.op = "_contrib_requantize", .signature = "any any any -> 3", .infer = inferRequantize},
    {.op = "_sg_mkldnn_conv", .signature = "any any+ -> 3", .infer = inferFused},
    {.op = "_sg_mkldnn_fully_connected", .signature = "any any+ -> 3", .infer = inferFused},
};

} // namespace

std::span<const OpSchema> quantizedSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
