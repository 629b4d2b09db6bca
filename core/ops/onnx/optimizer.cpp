#include "core/ops/onnx/op_families.h"

namespace plimsoll::ops {

namespace {

/// Rate and step count, then tensors, gradients and \p states states of each tensor → new tensors and states.
Status inferUpdate(NodeFacts& facts, std::size_t states)
{
    if (facts.inputCount() < 2 || (facts.inputCount() - 2) % (2 + states) != 0)
        return facts.error(say("ops.number-inputs-wrong"));
    const std::size_t tensors = (facts.inputCount() - 2) / (2 + states);
    for (std::size_t i = 0; i < facts.outputCount(); ++i) {
        const bool isTensor = i < tensors;
        facts.setType(i, facts.type(2 + i + (isTensor ? 0 : tensors))); // Gradients stand between them.
    }
    return {};
}

Status inferOneState(NodeFacts& facts)
{
    return inferUpdate(facts, 1);
}

constexpr OpSchema OptimizerSchemas[] = {
    {.op = "Adagrad", .signature = "float int float+ -> *", .infer = inferOneState},
    {.op = "Adam",
     .signature = "float int float+ -> *",
     .infer = [](NodeFacts& facts) { return inferUpdate(facts, 2); }},
    {.op = "Gradient",
     .signature = "any+ -> *",
     .infer = [](NodeFacts& facts) -> Status {
         // One derivative for each of the first inputs.
         for (std::size_t i = 0; i < facts.outputCount(); ++i)
             facts.setType(i, facts.type(i));
         return {};
     }},
    {.op = "Momentum", .signature = "float int float+ -> *", .infer = inferOneState},
};

} // namespace

constinit const OpFamily optimizerOperators {"ai.onnx.preview.training", OptimizerSchemas};

} // namespace plimsoll::ops
