#include "core/ops/mxnet/mxnet_families.h"

namespace plimsoll::mxnet {

namespace {

/// The output has the type of the data; the label has one number for each prediction.
Status inferSoftmaxOutput(NodeFacts& facts)
{
    const auto dims = facts.dims(0) ? facts.dims(0) : dimsOf(facts.wanted(0));
    facts.set(0, facts.dtype(0), dims);
    facts.require(0, DType::Unknown, dims);
    if (!dims || dims->empty() || facts.dims(1)) return {}; // MXNet takes labels of several shapes
    Dims label(dims->begin(), dims->end() - 1);
    if (flag(facts, "multi_output", false) && dims->size() > 1)
        label = {dims->front(), product(*dims, 2, dims->size())};
    facts.require(1, facts.dtype(0), label);
    return {};
}

/// The label has the shape of the data; of data [N,1] it may be [N].
Status inferRegression(NodeFacts& facts)
{
    const auto dims = facts.dims(0) ? facts.dims(0) : dimsOf(facts.wanted(0));
    facts.set(0, facts.dtype(0), dims);
    facts.require(0, DType::Unknown, dims);
    if (!facts.dims(1)) facts.require(1, facts.dtype(0), dims);
    return {};
}

Status inferMargin(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    facts.set(0, facts.dtype(0), dims);
    if (dims && !dims->empty() && !facts.dims(1)) facts.require(1, facts.dtype(0), Dims {dims->front()});
    return {};
}

Status inferCrossEntropy(NodeFacts& facts)
{
    facts.set(0, facts.dtype(0), Dims {1});
    const auto dims = facts.dims(0);
    if (dims && !dims->empty() && !facts.dims(1)) facts.require(1, facts.dtype(0), Dims {dims->front()});
    return {};
}

/// Scores [T,N,classes] → losses [N] and the gradient of the scores.
Status inferCtc(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    const bool known = dims && dims->size() == 3;
    facts.set(0, facts.dtype(0), known ? std::optional(Dims {(*dims)[1]}) : std::nullopt);
    facts.set(1, facts.dtype(0), dims);
    return {};
}

constexpr OpSchema MxnetLossSchemas[] = {
    {.op = "CTCLoss", .signature = "any any any? any? -> 2", .infer = inferCtc},
    {.op = "IdentityAttachKLSparseReg", .signature = "any any?", .infer = inferMargin, .inPlace = First, .pure = false},
    {.op = "LinearRegressionOutput", .signature = "any any", .infer = inferRegression, .inPlace = First},
    {.op = "LogisticRegressionOutput", .signature = "any any", .infer = inferRegression, .inPlace = First},
    {.op = "MAERegressionOutput", .signature = "any any", .infer = inferRegression, .inPlace = First},
    {.op = "SVMOutput", .signature = "any any", .infer = inferMargin, .inPlace = First},
    {.op = "SoftmaxOutput", .signature = "any any", .infer = inferSoftmaxOutput, .inPlace = First},
    {.op = "softmax_cross_entropy", .signature = "any any", .infer = inferCrossEntropy},
};

} // namespace

constinit const OpFamily mxnetLossOperators {"mxnet", MxnetLossSchemas};

} // namespace plimsoll::mxnet
