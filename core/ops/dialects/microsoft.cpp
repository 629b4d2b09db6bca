#include "core/ops/alike_rows.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

/// Input, skip, gamma, beta, bias → normalised sum, mean, inverse deviation, the sum itself.
Status inferSkipNormalization(NodeFacts& facts)
{
    auto rows = facts.dims(0);
    if (rows && !rows->empty()) rows->back() = 1;
    facts.setType(0, facts.type(0));
    facts.set(1, DType::Float32, rows);
    facts.set(2, DType::Float32, rows);
    facts.setType(3, facts.type(0));
    return {};
}

/// Token ids, segment ids and tables → embedding, mask index, sum of the embeddings.
Status inferEmbedding(NodeFacts& facts)
{
    const auto ids = facts.dims(0);
    const Dims dims {sizeAt(ids, 0), sizeAt(ids, 1), sizeAt(facts.dims(2), 1)};
    facts.set(0, facts.dtype(2), dims);
    facts.set(1, DType::Int32, Dims {sizeAt(ids, 0)});
    facts.set(2, facts.dtype(2), dims);
    return {};
}

/// Input [B,S,H], weights [H,3×hidden], …, past at 4 [2,B,heads,P,size] → [B,S,hidden], present.
Status inferPackedAttention(NodeFacts& facts)
{
    const auto x = facts.dims(0);
    const auto* sizes = facts.integersAttribute("qkv_hidden_sizes");
    const std::int64_t packed = sizeAt(facts.dims(1), 1);
    std::int64_t hidden = packed < 0 ? UnknownSize : packed / 3;
    if (sizes && sizes->size() == 3) hidden = (*sizes)[2];
    facts.set(0, facts.dtype(0), Dims {sizeAt(x, 0), sizeAt(x, 1), hidden});
    const std::int64_t heads = facts.attribute("num_heads", UnknownSize);
    const std::int64_t past = facts.has(4) ? sizeAt(facts.dims(4), 3) : 0;
    const std::int64_t length =
        past < 0 || sizeAt(x, 1) < 0 ? UnknownSize : (SafeInt(past) + sizeAt(x, 1)).get().value_or(UnknownSize);
    const std::int64_t size = heads > 0 && hidden >= 0 ? hidden / heads : UnknownSize;
    facts.set(1, facts.dtype(0), Dims {2, sizeAt(x, 0), heads, length, size});
    return {};
}

/// MatMul with its operands transposed first: the last two axes, or (transBatch) the first one to the place before the
/// last.
Dims transposed(Dims dims, bool lastTwo, bool batch)
{
    if (batch && dims.size() > 2) std::rotate(dims.begin(), dims.begin() + 1, dims.end() - 1);
    if (lastTwo && dims.size() > 1) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    return dims;
}

Status inferFusedMatMul(NodeFacts& facts)
{
    auto a = facts.dims(0);
    auto b = facts.dims(1);
    if (!a || !b || a->size() < 2 || b->size() < 2) return facts.give(facts.dtype(0), std::nullopt);
    a = transposed(*a, facts.attribute("transA", 0) != 0, facts.attribute("transBatchA", 0) != 0);
    b = transposed(*b, facts.attribute("transB", 0) != 0, facts.attribute("transBatchB", 0) != 0);
    auto dims = broadcast(Dims(a->begin(), a->end() - 2), Dims(b->begin(), b->end() - 2));
    if (!dims || !sameSize(a->back(), (*b)[b->size() - 2])) {
        return facts.error(say("ops.cannot-multiplied", describe(facts.type(0)), describe(facts.type(1))));
    }
    dims->insert(dims->end(), {(*a)[a->size() - 2], b->back()});
    return facts.give(facts.dtype(0), dims);
}

/// Gradient of the result, input, scale, mean, deviation → gradients of input, scale and bias.
Status inferLayerNormalizationGrad(NodeFacts& facts)
{
    facts.setType(0, facts.type(1));
    facts.setType(1, facts.type(2));
    facts.setType(2, facts.type(2));
    return {};
}

/// The axes along which a gradient must be summed, so that it has the shape of an operand again; last axis first.
std::optional<std::vector<std::int64_t>> summedAxes(NodeFacts& facts, std::size_t operand)
{
    const auto own = facts.integers(operand);
    const auto other = facts.integers(1 - operand);
    if (!own || !other) return std::nullopt;
    const std::size_t rank = std::max(own->size(), other->size());
    std::vector<std::int64_t> axes;
    for (std::size_t back = 0; back < rank; ++back) {
        const std::int64_t mine = back < own->size() ? (*own)[own->size() - 1 - back] : 0;
        const std::int64_t theirs = back < other->size() ? (*other)[other->size() - 1 - back] : 1;
        const bool stretched = mine == 0 || (mine == 1 && theirs > 1);
        if (stretched) axes.push_back(static_cast<std::int64_t>(rank - 1 - back));
    }
    return axes;
}

Status inferBroadcastGradient(NodeFacts& facts)
{
    for (std::size_t i = 0; i < 2; ++i) {
        const auto axes = summedAxes(facts, i);
        facts.set(i, DType::Int64, Dims {axes ? static_cast<std::int64_t>(axes->size()) : UnknownSize},
                  say("size.shapes"));
    }
    return {};
}

void evaluateBroadcastGradient(NodeFacts& facts)
{
    for (std::size_t i = 0; i < 2 && i < facts.outputCount(); ++i) {
        const auto axes = summedAxes(facts, i);
        PartialTensor* to = axes ? facts.start(i) : nullptr;
        if (!to || to->elements.size() != axes->size()) continue;
        for (std::size_t k = 0; k < axes->size(); ++k)
            to->elements[k] = Scalar::ofInteger((*axes)[k]);
    }
}

Status inferLikeSecond(NodeFacts& facts)
{
    return facts.give(facts.type(1));
}

/// Ids, longest length, …, beams, sequences returned → [batch, sequences, longest length].
Status inferBeamSearch(NodeFacts& facts)
{
    const auto length = facts.integer(1);
    const auto sequences = facts.integer(4);
    return facts.give(DType::Int32,
                      Dims {sizeAt(facts.dims(0), 0), sequences.value_or(UnknownSize), length.value_or(UnknownSize)},
                      say("size.lengths"));
}

constexpr OpSchema OwnRows[] = {
    {.op = "Attention", .signature = "any any any? any? any? any? any? -> 2", .infer = inferPackedAttention},
    {.op = "BeamSearch",
     .signature = "any any any? any any any? any? any? any? any? any? any? -> 3",
     .infer = inferBeamSearch},
    {.op = "BroadcastGradientArgs",
     .signature = "any any -> 2",
     .infer = inferBroadcastGradient,
     .evaluate = evaluateBroadcastGradient},
    {.op = "ConcatTraining",
     .signature = "any+ -> 2",
     .infer = [](NodeFacts& facts) -> Status {
         PLIMSOLL_TRY(findSchema("", "Concat")->infer(facts));
         facts.set(1, DType::Int64, Dims {static_cast<std::int64_t>(facts.inputCount())});
         return {};
     },
     .evaluate = [](NodeFacts& facts) { findSchema("", "Concat")->evaluate(facts); }},
    {.op = "EmbedLayerNormalization",
     .signature = "any any? any any any? any any any? any? -> 3",
     .infer = inferEmbedding},
    {.op = "FastGelu", .signature = "any any?", .infer = inferLikeFirst},
    {.op = "FusedConv",
     .signature = "any any any? any?",
     .infer = inferAsCounterpart,
     .counterpart = {.op = "Conv", .attributes = "*", .typesOnly = true}},
    {.op = "FusedGemm",
     .signature = "any any any?",
     .infer = inferAsCounterpart,
     .counterpart = {.op = "Gemm", .attributes = "*", .typesOnly = true}},
    {.op = "FusedMatMul", .signature = "any any", .infer = inferFusedMatMul},
    {.op = "LayerNormalizationGrad", .signature = "any any any any any -> 3", .infer = inferLayerNormalizationGrad},
    {.op = "SkipLayerNormalization", .signature = "any any any any? any? -> 4", .infer = inferSkipNormalization},
    {.op = "SkipSimplifiedLayerNormalization", .signature = "any any any any? -> 4", .infer = inferSkipNormalization},
    {.op = "SliceGrad",
     .signature = "any any any any any? any?",
     .infer = [](NodeFacts& facts) -> Status {
         // The shape of what was sliced is the second input.
         const auto shape = facts.integers(1);
         return facts.give(facts.dtype(0), shape ? std::optional<Dims>(*shape) : std::nullopt, say("size.shape"));
     }},
    {.op = "SoftmaxCrossEntropyLossInternal",
     .signature = "any any any? any? -> 2",
     .infer = inferAsCounterpart,
     .counterpart = {.op = "SoftmaxCrossEntropyLoss", .attributes = "*", .typesOnly = true}},
    {.op = "SoftmaxCrossEntropyLossInternalGrad", .signature = "any any any any? any? any?", .infer = inferLikeSecond},
    {.op = "TransposeMatMul", .signature = "any any", .infer = inferFusedMatMul},
    {.op = "YieldOp", .signature = "any* -> *", .pure = false},
};

constexpr auto MicrosoftSchemas = joined(
    std::to_array(OwnRows), alike<"Gelu QuickGelu">({.op = {}, .signature = "any", .infer = inferLikeFirst}),
    alike<"BiasGelu FastGeluGrad GeluGrad LogSoftmaxGrad_13 ReluGrad SigmoidGrad SoftmaxGrad SoftmaxGrad_13 TanhGrad">(
        {.op = {}, .signature = "any any", .infer = inferLikeFirst}),
    alike<"BiasFastGeluGrad_dX BiasGeluGrad_dX">({.op = {}, .signature = "any any any", .infer = inferLikeFirst}));

} // namespace

constinit const OpFamily microsoftOperators {"com.microsoft", MicrosoftSchemas};

} // namespace plimsoll::ops
