#include "core/ops/onnx/op_families.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

Status inferTopK(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    std::optional<std::int64_t> count = facts.has(1) ? facts.integer(1) : std::optional(facts.attribute("k", -1));
    if (dims) {
        const auto axis = normalAxis(facts.attribute("axis", -1), dims->size());
        if (!axis) return facts.error("The axis is outside of " + describe(facts.type(0)) + ".");
        if (count && (*dims)[*axis] >= 0 && *count > (*dims)[*axis])
            return facts.error("K is larger than the axis of " + describe(facts.type(0)) + ".");
        (*dims)[*axis] = count.value_or(UnknownSize);
    }
    const char* because = count ? "" : "depends on data: K";
    facts.set(0, facts.dtype(0), dims, because);
    facts.set(1, DType::Int64, dims, because);
    return {};
}

/// Values, first places, place of each element among the values, counts.
Status inferUnique(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto* axis = findAttribute<std::int64_t>(facts.node(), "axis");
    std::optional<Dims> values = Dims {UnknownSize};
    std::optional<Dims> inverse = Dims {from ? countOf(*from).value_or(UnknownSize) : UnknownSize};
    if (axis) {
        values = from;
        const auto at = from ? normalAxis(*axis, from->size()) : std::nullopt;
        if (from && !at) return facts.error("The axis is outside of " + describe(facts.type(0)) + ".");
        if (at) inverse = Dims {(*from)[*at]};
        if (at) (*values)[*at] = UnknownSize;
    }
    const char* because = "depends on data: Unique";
    facts.set(0, facts.dtype(0), values, because);
    facts.set(1, DType::Int64, Dims {UnknownSize}, because);
    facts.set(2, DType::Int64, inverse);
    facts.set(3, DType::Int64, Dims {UnknownSize}, because);
    return {};
}

Status inferOneHot(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    std::optional<double> depth = facts.real(1);
    if (depth && !(*depth >= 0 && *depth < 9e15)) return facts.error("The depth is negative or too large.");
    if (dims) {
        const auto axis = normalAxis(facts.attribute("axis", -1), dims->size() + 1);
        if (!axis) return facts.error("The axis is outside of " + describe(facts.type(0)) + " with one axis more.");
        dims->insert(dims->begin() + static_cast<std::ptrdiff_t>(*axis),
                     depth ? static_cast<std::int64_t>(*depth) : UnknownSize);
    }
    facts.set(0, facts.dtype(2), dims, depth ? "" : "the depth is data");
    return {};
}

Status inferNonMaxSuppression(NodeFacts& facts)
{
    facts.set(0, DType::Int64, Dims {UnknownSize, 3}, "depends on data: NonMaxSuppression");
    return {};
}

const OpSchema Schemas[] = {
    {.op = "NonMaxSuppression", .infer = inferNonMaxSuppression},
    {.op = "OneHot", .infer = inferOneHot},
    {.op = "TopK", .infer = inferTopK},
    {.op = "Unique", .infer = inferUnique},
};

} // namespace

std::span<const OpSchema> selectionSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
