#include "core/ops/onnx/op_families.h"
#include "core/ops/onnx_dtype.h"

namespace plimsoll::ops {

namespace {

Status inferRandom(NodeFacts& facts)
{
    const auto* shape = facts.integersAttribute("shape");
    if (!shape) return facts.error(say("ops.attribute-shape-missing"));
    return facts.give(dtypeAttribute(facts.node(), "dtype", DType::Float32), *shape);
}

Status inferRandomLike(NodeFacts& facts)
{
    return facts.give(dtypeAttribute(facts.node(), "dtype", facts.dtype(0)), facts.dims(0));
}

constexpr OpSchema RandomSchemas[] = {
    {.op = "Bernoulli", .signature = "float", .infer = inferRandomLike, .grows = AllInputs, .pure = false},
    {.op = "Multinomial",
     .signature = "float",
     .infer = [](NodeFacts& facts) -> Status {
         // Rows of unnormalised probabilities give rows of samples.
         const std::int64_t batch = sizeAt(facts.dims(0), 0);
         return facts.give(dtypeAttribute(facts.node(), "dtype", DType::Int32),
                           Dims {batch, facts.attribute("sample_size", 1)});
     },
     .grows = AllInputs,
     .pure = false},
    {.op = "RandomNormal", .signature = "", .infer = inferRandom, .pure = false},
    {.op = "RandomNormalLike",
     .signature = "any",
     .infer = inferRandomLike,
     .grows = AllInputs,
     .ignored = First,
     .pure = false},
    {.op = "RandomUniform", .signature = "", .infer = inferRandom, .pure = false},
    {.op = "RandomUniformLike",
     .signature = "any",
     .infer = inferRandomLike,
     .grows = AllInputs,
     .ignored = First,
     .pure = false},
};

} // namespace

constinit const OpFamily randomOperators {"", RandomSchemas};

} // namespace plimsoll::ops
