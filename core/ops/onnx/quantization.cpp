#include "core/ops/onnx/op_families.h"
#include "core/ops/onnx_dtype.h"

namespace plimsoll::ops {

namespace {

/// The zero point says the type; without one output_dtype does, and else it is uint8.
Status inferQuantize(NodeFacts& facts)
{
    DType dtype = dtypeAttribute(facts.node(), "output_dtype", DType::Unknown);
    if (dtype == DType::Unknown) dtype = facts.has(2) ? facts.dtype(2) : DType::UInt8;
    return facts.give(dtype, facts.dims(0));
}

Status inferDynamicQuantize(NodeFacts& facts)
{
    facts.set(0, DType::UInt8, facts.dims(0));
    facts.set(1, DType::Float32, Dims {});
    facts.set(2, DType::UInt8, Dims {});
    return {};
}

constexpr OpSchema QuantizationSchemas[] = {
    {.op = "DequantizeLinear",
     .signature = "small|int32:T float|small small|int32:T?",
     .infer = [](NodeFacts& facts) -> Status {
         // The scale says the type from 19 on; before, it is float32 always.
         const DType dtype = facts.opset() >= 19 ? facts.dtype(1) : DType::Float32;
         return facts.give(dtypeAttribute(facts.node(), "output_dtype", dtype), facts.dims(0));
     },
     .grows = AllInputs},
    {.op = "DynamicQuantizeLinear", .signature = "float -> 3", .infer = inferDynamicQuantize, .grows = AllInputs},
    {.op = "QuantizeLinear", .signature = "float|int32 float|small small?", .infer = inferQuantize, .grows = AllInputs},
};

} // namespace

constinit const OpFamily quantizationOperators {"", QuantizationSchemas};

} // namespace plimsoll::ops
