#include "core/ops/mxnet/mxnet_families.h"

namespace plimsoll::mxnet {

namespace {

/// Which axes a reduction goes over: the listed ones, all where none is, all others with exclude.
Result<std::vector<bool>> reducedAxes(const NodeFacts& facts, std::size_t rank)
{
    const auto axes = tuple(facts, "axis");
    const bool all = !axes || axes->empty();
    std::vector<bool> reduced(rank, all);
    for (const std::int64_t axis : all ? std::vector<std::int64_t> {} : *axes) {
        const auto normal = normalAxis(axis, rank);
        if (!normal)
            return facts.error("There is no axis " + std::to_string(axis) + " in " + describe(facts.type(0)) + ".");
        reduced[*normal] = true;
    }
    if (!all && flag(facts, "exclude", false)) reduced.flip();
    return reduced;
}

/// \p dims without the reduced axes. Of nothing left, the legacy operators make [1].
Dims reduced(const NodeFacts& facts, const Dims& dims, const std::vector<bool>& gone)
{
    const bool keep = flag(facts, "keepdims", false);
    Dims left;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        if (!gone[axis]) left.push_back(dims[axis]);
        if (gone[axis] && keep) left.push_back(1);
    }
    if (left.empty() && !hasNumpyShapes(facts.graph())) left.push_back(1);
    return left;
}

Status reduceTo(NodeFacts& facts, DType dtype)
{
    auto dims = facts.dims(0);
    if (dims) {
        PLIMSOLL_ASSIGN(gone, reducedAxes(facts, dims->size()));
        dims = reduced(facts, *dims, gone);
    }
    facts.set(0, dtype, dims);
    return {};
}

Status inferReduction(NodeFacts& facts)
{
    return reduceTo(facts, facts.dtype(0));
}

/// The channel (axis 1) of the largest.
Status inferArgmaxChannel(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims && dims->size() > 1) dims->erase(dims->begin() + 1);
    facts.set(0, facts.dtype(0), dims);
    return {};
}

Status inferNorm(NodeFacts& facts)
{
    return reduceTo(facts, dtypeOf(facts.node().attributes, "out_dtype", facts.dtype(0)));
}

/// The first k of each row along the axis: values, positions, both, or a mask.
Status inferTopK(NodeFacts& facts)
{
    const Attributes& attributes = facts.node().attributes;
    auto dims = facts.dims(0);
    const std::int64_t k = numberOf(attributes, "k", facts.node().op == "topk" ? 1 : 0);
    const std::string kind = textOf(attributes, "ret_typ", "indices");
    if (dims && kind != "mask" && k > 0) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", -1, dims->size()));
        if ((*dims)[axis] < 0 || k < (*dims)[axis]) (*dims)[axis] = k;
    }
    const DType positions = dtypeOf(attributes, "dtype", DType::Float32);
    const bool values = facts.node().op == "sort" || kind == "value" || kind == "both" || kind == "mask";
    facts.set(0, values ? facts.dtype(0) : positions, dims);
    facts.set(1, positions, dims);
    return {};
}

Status inferArgsort(NodeFacts& facts)
{
    return inferSameShape(facts, dtypeOf(facts.node().attributes, "dtype", DType::Float32));
}

constexpr OpSchema reduction(std::string_view op, bool cheap = false)
{
    return {.op = op, .signature = "any", .infer = inferReduction, .cheap = cheap};
}

const OpSchema Schemas[] = {
    reduction("max"),
    reduction("mean", true),
    reduction("min"),
    reduction("nanprod"),
    reduction("nansum"),
    reduction("prod"),
    reduction("sum", true),
    {.op = "_square_sum", .signature = "any", .infer = inferReduction},
    {.op = "argmax", .signature = "any", .infer = inferReduction},
    {.op = "argmax_channel", .signature = "any", .infer = inferArgmaxChannel},
    {.op = "argmin", .signature = "any", .infer = inferReduction},
    {.op = "argsort", .signature = "any", .infer = inferArgsort},
    {.op = "norm", .signature = "any", .infer = inferNorm},
    {.op = "sort", .signature = "any -> 2", .infer = inferTopK},
    {.op = "topk", .signature = "any -> 2", .infer = inferTopK},
};

} // namespace

std::span<const OpSchema> reductionSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
