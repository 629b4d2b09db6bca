#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

Status inferTopK(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    std::optional<std::int64_t> count = facts.has(1) ? facts.integer(1) : std::optional(facts.attribute("k", -1));
    if (dims) {
        const auto axis = normalAxis(facts.attribute("axis", -1), dims->size());
        if (!axis) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
        if (count && (*dims)[*axis] >= 0 && *count > (*dims)[*axis])
            return facts.error(say("ops.k-larger-than", describe(facts.type(0))));
        (*dims)[*axis] = count.value_or(UnknownSize);
    }
    const Message because = count ? Message() : say("size.data", "K");
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
        if (from && !at) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
        if (at) inverse = Dims {(*from)[*at]};
        if (at) (*values)[*at] = UnknownSize;
    }
    const Message because = say("size.data", "Unique");
    facts.set(0, facts.dtype(0), values, because);
    facts.set(1, DType::Int64, Dims {UnknownSize}, because);
    facts.set(2, DType::Int64, inverse);
    facts.set(3, DType::Int64, Dims {UnknownSize}, because);
    return {};
}

/// K is data: all there are.
Status mostTopK(NodeFacts& facts)
{
    facts.set(0, facts.dtype(0), facts.dims(0));
    facts.set(1, DType::Int64, facts.dims(0));
    return {};
}

/// No two are alike.
Status mostUnique(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto* axis = findAttribute<std::int64_t>(facts.node(), "axis");
    const auto at = axis && from ? normalAxis(*axis, from->size()) : std::nullopt;
    if (!from || (axis && !at)) return {};
    const std::int64_t all = axis ? (*from)[*at] : countOf(*from).value_or(UnknownSize);
    facts.set(0, facts.dtype(0), axis ? *from : Dims {all});
    for (std::size_t i = 1; i < 4; ++i)
        facts.set(i, DType::Int64, Dims {all});
    return {};
}

/// Of each class of each batch as many boxes as are asked for, or all.
Status mostSelected(NodeFacts& facts)
{
    const auto scores = facts.dims(1);
    if (!scores || scores->size() != 3 || !allKnown(*scores)) return {};
    const std::int64_t asked = facts.has(2) ? facts.integer(2).value_or((*scores)[2]) : 0;
    const std::int64_t each = std::clamp<std::int64_t>(asked, 0, (*scores)[2]);
    const auto all = (SafeInt((*scores)[0]) * (*scores)[1] * each).get();
    return facts.give(DType::Int64, Dims {all.value_or(UnknownSize), 3});
}

Status inferOneHot(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    std::optional<double> depth = facts.real(1);
    if (depth && !(*depth >= 0 && *depth < 9e15)) return facts.error(say("ops.depth-negative-too"));
    if (dims) {
        const auto axis = normalAxis(facts.attribute("axis", -1), dims->size() + 1);
        if (!axis) return facts.error(say("ops.new-axis-outside", describe(facts.type(0))));
        dims->insert(dims->begin() + static_cast<std::ptrdiff_t>(*axis),
                     depth ? static_cast<std::int64_t>(*depth) : UnknownSize);
    }
    return facts.give(facts.dtype(2), dims, depth ? Message() : say("size.depth"));
}

/// As many different elements, or slices, as there are to be.
void uniqueContents(ShapeSearch& search)
{
    const auto dims = search.dims(0);
    const bool flat = findAttribute<std::int64_t>(search.node(), "axis") == nullptr;
    const std::int64_t axis = search.attribute("axis", 0);
    const auto at = dims ? normalAxis(axis, dims->size()) : std::nullopt;
    const std::int64_t size = search.outSize(flat ? 0 : axis, UnknownSize);
    if (search.count(0) == 0 || size < 1 || (!flat && !at)) return;
    std::int64_t inner = 1;
    for (std::size_t i = flat ? dims->size() : *at + 1; i < dims->size(); ++i)
        inner *= (*dims)[i];
    Dims numbers(search.count(0), 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t slice = static_cast<std::int64_t>(i) / inner;
        numbers[i] = std::min(flat ? slice : slice % (*dims)[*at], size - 1);
    }
    search.want(0, numbers);
}

/// Nothing is suppressed: as many boxes as there are to be.
void nonMaxSuppressionContents(ShapeSearch& search)
{
    const auto scores = search.dims(1);
    const std::int64_t rows = search.outSize(0, UnknownSize);
    const bool known = scores && scores->size() == 3 && allKnown(*scores);
    const std::int64_t groups = known ? (SafeInt((*scores)[0]) * (*scores)[1]).get().value_or(0) : 0;
    search.want(2, {rows > 0 && groups > 0 ? 1 + (rows - 1) / groups : 1});
    search.wantReals(3, {1});
    search.wantReals(4, {-2});
}

constexpr OpSchema SelectionSchemas[] = {
    {.op = "NonMaxSuppression",
     .signature = "float float int? float? float?",
     .infer =
         [](NodeFacts& facts) {
             return facts.give(DType::Int64, Dims {UnknownSize, 3}, say("size.data", "NonMaxSuppression"));
         },
     .most = mostSelected,
     .contents = nonMaxSuppressionContents},
    {.op = "OneHot",
     .signature = "number number any",
     .infer = inferOneHot,
     .grows = AllInputs,
     .contents = [](ShapeSearch& search) { search.want(1, {search.outSize(search.attribute("axis", -1), 2)}); }},
    {.op = "TopK",
     .signature = "any int?10 -> 2",
     .infer = inferTopK,
     .most = mostTopK,
     .contents = [](ShapeSearch& search) { search.want(1, {search.outSize(search.attribute("axis", -1), 1)}); }},
    {.op = "Unique", .signature = "any -> 4", .infer = inferUnique, .most = mostUnique, .contents = uniqueContents},
};

} // namespace

constinit const OpFamily selectionOperators {"", SelectionSchemas};

} // namespace plimsoll::ops
