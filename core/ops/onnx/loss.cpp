#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/parameters.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

/// One target for each row of scores, which lie along axis 1, and one weight for each score.
Status checkTargets(const NodeFacts& facts)
{
    const auto scores = facts.dims(0);
    const auto targets = facts.dims(1);
    if (!scores || scores->empty()) return {};
    const std::size_t along = scores->size() > 1 ? 1 : 0;
    PLIMSOLL_TRY(checkNumbers(facts, 2, (*scores)[along], say("ops.one-a-class", describe(facts.type(0)))));
    if (!targets) return {};
    Dims wanted = *scores;
    wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(along));
    const bool fits = std::ranges::equal(
        wanted, *targets, [](std::int64_t one, std::int64_t other) { return sameSize(one, other).has_value(); });
    if (fits) return {};
    return facts.error(say("ops.targets-misfit", describe(facts.type(1)), describe(facts.type(0))));
}

/// One loss per target, or their sum or mean; then, if wanted, the logarithms of the probabilities.
Status inferLoss(NodeFacts& facts)
{
    PLIMSOLL_TRY(checkTargets(facts));
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
