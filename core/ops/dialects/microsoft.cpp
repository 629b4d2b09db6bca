#include "core/ops/onnx/op_families.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

std::int64_t at(const std::optional<Dims>& dims, std::size_t axis)
{
    return dims && axis < dims->size() ? (*dims)[axis] : UnknownSize;
}

const OpSchema* ownSchema(std::string_view op)
{
    return findSchema("", op);
}

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
    const Dims dims {at(ids, 0), at(ids, 1), at(facts.dims(2), 1)};
    facts.set(0, facts.dtype(2), dims);
    facts.set(1, DType::Int32, Dims {at(ids, 0)});
    facts.set(2, facts.dtype(2), dims);
    return {};
}

/// Input [B,S,H], weights [H,3×hidden], …, past at 4 [2,B,heads,P,size] → [B,S,hidden], present.
Status inferPackedAttention(NodeFacts& facts)
{
    const auto x = facts.dims(0);
    const auto* sizes = facts.integersAttribute("qkv_hidden_sizes");
    const std::int64_t packed = at(facts.dims(1), 1);
    std::int64_t hidden = packed < 0 ? UnknownSize : packed / 3;
    if (sizes && sizes->size() == 3) hidden = (*sizes)[2];
    facts.set(0, facts.dtype(0), Dims {at(x, 0), at(x, 1), hidden});
    const std::int64_t heads = facts.attribute("num_heads", UnknownSize);
    const std::int64_t past = facts.has(4) ? at(facts.dims(4), 3) : 0;
    const std::int64_t length =
        past < 0 || at(x, 1) < 0 ? UnknownSize : (SafeInt(past) + at(x, 1)).get().value_or(UnknownSize);
    const std::int64_t size = heads > 0 && hidden >= 0 ? hidden / heads : UnknownSize;
    facts.set(1, facts.dtype(0), Dims {2, at(x, 0), heads, length, size});
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
    if (!a || !b || a->size() < 2 || b->size() < 2) {
        facts.set(0, facts.dtype(0), std::nullopt);
        return {};
    }
    a = transposed(*a, facts.attribute("transA", 0) != 0, facts.attribute("transBatchA", 0) != 0);
    b = transposed(*b, facts.attribute("transB", 0) != 0, facts.attribute("transBatchB", 0) != 0);
    auto dims = broadcast(Dims(a->begin(), a->end() - 2), Dims(b->begin(), b->end() - 2));
    if (!dims || !sameSize(a->back(), (*b)[b->size() - 2])) {
        return facts.error(describe(facts.type(0)) + " and " + describe(facts.type(1)) + " cannot be multiplied.");
    }
    dims->insert(dims->end(), {(*a)[a->size() - 2], b->back()});
    facts.set(0, facts.dtype(0), dims);
    return {};
}

/// Gradient of the result, input, scale, mean, deviation → gradients of input, scale and bias.
Status inferLayerNormalizationGrad(NodeFacts& facts)
{
    facts.setType(0, facts.type(1));
    facts.setType(1, facts.type(2));
    facts.setType(2, facts.type(2));
    return {};
}

/// The shape of what was sliced is the second input.
Status inferSliceGrad(NodeFacts& facts)
{
    const auto shape = facts.integers(1);
    facts.set(0, facts.dtype(0), shape ? std::optional<Dims>(*shape) : std::nullopt, "the shape it is given is data");
    return {};
}

Status inferConcatTraining(NodeFacts& facts)
{
    PLIMSOLL_TRY(ownSchema("Concat")->infer(facts));
    facts.set(1, DType::Int64, Dims {static_cast<std::int64_t>(facts.inputCount())});
    return {};
}

void evaluateConcatTraining(NodeFacts& facts)
{
    ownSchema("Concat")->evaluate(facts);
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
                  "the shapes it is given are data");
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
    facts.setType(0, facts.type(1));
    return {};
}

Status inferLossInternal(NodeFacts& facts)
{
    return ownSchema("SoftmaxCrossEntropyLoss")->infer(facts);
}

Status inferAsConv(NodeFacts& facts)
{
    return ownSchema("Conv")->infer(facts);
}

Status inferAsGemm(NodeFacts& facts)
{
    return ownSchema("Gemm")->infer(facts);
}

/// Ids, longest length, …, beams, sequences returned → [batch, sequences, longest length].
Status inferBeamSearch(NodeFacts& facts)
{
    const auto length = facts.integer(1);
    const auto sequences = facts.integer(4);
    facts.set(0, DType::Int32,
              Dims {at(facts.dims(0), 0), sequences.value_or(UnknownSize), length.value_or(UnknownSize)},
              "the number and the longest length of the sequences are data");
    return {};
}

constexpr OpSchema Schemas[] = {
    {.op = "Attention", .signature = "any any any? any? any? any? any? -> 2", .infer = inferPackedAttention},
    {.op = "BeamSearch",
     .signature = "any any any? any any any? any? any? any? any? any? any? -> 3",
     .infer = inferBeamSearch},
    {.op = "BiasFastGeluGrad_dX", .signature = "any any any", .infer = inferLikeFirst},
    {.op = "BiasGelu", .signature = "any any", .infer = inferLikeFirst},
    {.op = "BiasGeluGrad_dX", .signature = "any any any", .infer = inferLikeFirst},
    {.op = "BroadcastGradientArgs",
     .signature = "any any -> 2",
     .infer = inferBroadcastGradient,
     .evaluate = evaluateBroadcastGradient},
    {.op = "ConcatTraining",
     .signature = "any+ -> 2",
     .infer = inferConcatTraining,
     .evaluate = evaluateConcatTraining},
    {.op = "EmbedLayerNormalization",
     .signature = "any any? any any any? any any any? any? -> 3",
     .infer = inferEmbedding},
    {.op = "FastGelu", .signature = "any any?", .infer = inferLikeFirst},
    {.op = "FastGeluGrad", .signature = "any any", .infer = inferLikeFirst},
    {.op = "FusedConv", .signature = "any any any? any?", .infer = inferAsConv},
    {.op = "FusedGemm", .signature = "any any any?", .infer = inferAsGemm},
    {.op = "FusedMatMul", .signature = "any any", .infer = inferFusedMatMul},
    {.op = "Gelu", .signature = "any", .infer = inferLikeFirst},
    {.op = "GeluGrad", .signature = "any any", .infer = inferLikeFirst},
    {.op = "LayerNormalizationGrad", .signature = "any any any any any -> 3", .infer = inferLayerNormalizationGrad},
    {.op = "LogSoftmaxGrad_13", .signature = "any any", .infer = inferLikeFirst},
    {.op = "QuickGelu", .signature = "any", .infer = inferLikeFirst},
    {.op = "ReluGrad", .signature = "any any", .infer = inferLikeFirst},
    {.op = "SigmoidGrad", .signature = "any any", .infer = inferLikeFirst},
    {.op = "SkipLayerNormalization", .signature = "any any any any? any? -> 4", .infer = inferSkipNormalization},
    {.op = "SkipSimplifiedLayerNormalization", .signature = "any any any any? -> 4", .infer = inferSkipNormalization},
    {.op = "SliceGrad", .signature = "any any any any any? any?", .infer = inferSliceGrad},
    {.op = "SoftmaxCrossEntropyLossInternal", .signature = "any any any? any? -> 2", .infer = inferLossInternal},
    {.op = "SoftmaxCrossEntropyLossInternalGrad", .signature = "any any any any? any? any?", .infer = inferLikeSecond},
    {.op = "SoftmaxGrad", .signature = "any any", .infer = inferLikeFirst},
    {.op = "SoftmaxGrad_13", .signature = "any any", .infer = inferLikeFirst},
    {.op = "TanhGrad", .signature = "any any", .infer = inferLikeFirst},
    {.op = "TransposeMatMul", .signature = "any any", .infer = inferFusedMatMul},
    {.op = "YieldOp", .signature = "any* -> *", .pure = false},
};

} // namespace

std::span<const OpSchema> microsoftSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
