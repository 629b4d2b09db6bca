#include "core/ops/onnx/op_families.h"

namespace plimsoll::ops {

namespace {

/// One loss per target, or their sum or mean; then, if wanted, the logarithms of the probabilities.
Status inferLoss(NodeFacts& facts)
{
    const bool each = facts.textAttribute("reduction", "mean") == "none";
    facts.set(0, facts.dtype(0), each ? facts.dims(1) : std::optional<Dims>(Dims {}));
    if (facts.outputCount() > 1) facts.setType(1, facts.type(0));
    return {};
}

constexpr OpSchema LossSchemas[] = {
    {.op = "NegativeLogLikelihoodLoss",
     .signature = "float:T int float:T?",
     .infer = inferLoss,
     .choices = {choices::Reduction},
     .derivative = R"(
        (self, target, weight?) = aten::nll_loss
          self: with(nll_back(g, target, weight), held(self)))"},
    {.op = "SoftmaxCrossEntropyLoss",
     .signature = "float:T int float:T? -> 2",
     .infer = inferLoss,
     .choices = {choices::Reduction},
     .derivative = R"(
        (self, target, weight?) -> result, log_prob = aten::cross_entropy_loss
          self: cross_entropy_back(g, self, target, weight))"},
};

} // namespace

constinit const OpFamily lossOperators {"", LossSchemas};

} // namespace plimsoll::ops
