#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"
#include "core/ops/sparse_tables.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

using Wanted =
    std::vector<std::optional<std::int64_t>>; ///< A shape as given: 0 and -1 with their meaning, empty unknown.

/// The shape from the attribute of Reshape-1 or the input of later versions; empty when not even its length is known.
std::optional<Wanted> wantedShape(NodeFacts& facts)
{
    Wanted wanted;
    if (const auto* attribute = facts.integersAttribute("shape"); attribute && !facts.has(1)) {
        wanted.assign(attribute->begin(), attribute->end());
        return wanted;
    }
    const auto length = facts.dims(1);
    if (!length || length->size() != 1 || length->front() < 0 || length->front() > 64) return std::nullopt;
    wanted.resize(static_cast<std::size_t>(length->front()));
    const PartialTensor& content = facts.content(1);
    for (std::size_t i = 0; content.tracked && i < wanted.size() && i < content.elements.size(); ++i) {
        if (content.elements[i]) wanted[i] = content.elements[i]->integer;
    }
    return wanted;
}

Status inferReshape(NodeFacts& facts)
{
    const auto wanted = wantedShape(facts);
    if (!wanted) return facts.give(facts.dtype(0), std::nullopt, say("size.shape"));
    const auto from = facts.dims(0);
    const bool zeroIsZero = facts.attribute("allowzero", 0) != 0;
    Dims dims;
    bool copiesUnknown = false;
    for (std::size_t i = 0; i < wanted->size(); ++i) {
        const std::int64_t size = (*wanted)[i].value_or(UnknownSize);
        if (size < -1) return facts.error(say("ops.wanted-shape-dimension", word::Number {size}));
        const bool copies = size == 0 && !zeroIsZero;
        // A 0 with nothing to copy is taken as -1: exporters write it when they divide too early, and mean "the rest".
        const bool nothing = copies && from && i >= from->size();
        dims.push_back(copies ? (from && !nothing ? (*from)[i] : UnknownSize) : size);
        copiesUnknown = copiesUnknown || (copies && !nothing && dims.back() < 0);
    }
    const Message because = from && allKnown(*from) ? say("size.shape") : Message();
    const std::int64_t count =
        from && !copiesUnknown ? countOf(*from).value_or(UnknownSize) : std::int64_t {UnknownSize};
    const auto open = std::ranges::count(dims, UnknownSize);
    if (count < 0 || open > 1) return facts.give(facts.dtype(0), dims, because);
    // The one place that is not known is filled, so that the counts agree.
    SafeInt rest = 1;
    for (const std::int64_t size : dims)
        rest = rest * (size < 0 ? 1 : size);
    if (!rest.get()) return facts.error(say("ops.wanted-shape-more"));
    const std::int64_t known = *rest.get();
    const bool fits = open == 0 ? known == count : (known == 0 ? count == 0 : count % known == 0);
    if (!fits)
        return facts.error(
            say("ops.elements-cannot-become", describe(facts.type(0)), word::Number {count}, describe(dims)));
    if (open == 1) *std::ranges::find(dims, UnknownSize) = known == 0 ? 0 : count / known;
    return facts.give(facts.dtype(0), dims, because);
}

/// The rest of what is left open is rounded down: the elements are no more.
Status mostReshape(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto wanted = wantedShape(facts);
    if (!from || !wanted || !allKnown(*from)) return {};
    const bool copies = facts.attribute("allowzero", 0) == 0;
    Dims dims;
    SafeInt known = 1;
    for (std::size_t i = 0; i < wanted->size(); ++i) {
        const bool same = (*wanted)[i] == 0 && copies;
        dims.push_back(same ? sizeAt(from, i) : (*wanted)[i].value_or(UnknownSize));
        known = known * std::max<std::int64_t>(dims.back(), 1);
    }
    const auto count = countOf(*from);
    if (std::ranges::count_if(dims, [](std::int64_t size) { return size < 0; }) == 1 && count && known.get())
        *std::ranges::find_if(dims, [](std::int64_t size) { return size < 0; }) = *count / *known.get();
    return facts.give(facts.dtype(0), dims);
}

Status inferFlatten(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    if (!from) return facts.give(facts.dtype(0), Dims {UnknownSize, UnknownSize});
    const std::int64_t axis = facts.attribute("axis", 1);
    const auto rank = static_cast<std::int64_t>(from->size());
    if (axis < -rank || axis > rank)
        return facts.error(say("ops.axis-outside", word::Number {axis}, describe(facts.type(0))));
    const auto split = from->begin() + (axis < 0 ? axis + rank : axis);
    const auto rows = countOf(Dims(from->begin(), split));
    const auto columns = countOf(Dims(split, from->end()));
    if (!rows || !columns) return facts.error(say("ops.sizes-do-fit"));
    return facts.give(facts.dtype(0), Dims {*rows, *columns});
}

Status inferSqueeze(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto axes = facts.setting("axes", 1);
    if (!from || (axes.given && !axes.known) || (!axes.given && !allKnown(*from)))
        return facts.give(facts.dtype(0), std::nullopt, from && axes.given ? say("size.axes") : Message());
    std::vector<bool> dropped(from->size(), false);
    for (const std::int64_t axis : axes.numbers) {
        const auto at = normalAxis(axis, from->size());
        if (!at || (*from)[*at] > 1 || (*from)[*at] == 0) {
            return facts.error(say("ops.axis-size-1", word::Number {axis}, describe(facts.type(0))));
        }
        dropped[*at] = true;
    }
    Dims dims;
    for (std::size_t i = 0; i < from->size(); ++i) {
        if (axes.given ? !dropped[i] : (*from)[i] != 1) dims.push_back((*from)[i]);
    }
    return facts.give(facts.dtype(0), dims);
}

Status inferUnsqueeze(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    const auto axes = facts.setting("axes", 1);
    if (!from || !axes.known) return facts.give(facts.dtype(0), std::nullopt, from ? say("size.axes") : Message());
    const std::size_t rank = from->size() + axes.numbers.size();
    std::vector<bool> added(rank, false);
    for (const std::int64_t axis : axes.numbers) {
        const auto at = normalAxis(axis, rank);
        if (!at || added[*at])
            return facts.error(say("ops.axis-cannot-added", word::Number {axis}, describe(facts.type(0))));
        added[*at] = true;
    }
    Dims dims;
    auto next = from->begin();
    for (std::size_t i = 0; i < rank; ++i)
        dims.push_back(added[i] ? 1 : *next++);
    return facts.give(facts.dtype(0), dims);
}

/// Dropout and its mask; in training the mask is the size of the data too.
Status inferDropout(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    facts.set(1, facts.opset() >= 10 ? DType::Bool : facts.dtype(0), facts.dims(0));
    return {};
}

bool isTrue(const Graph& graph, ValueId id)
{
    const Value& value = graph[id];
    if (value.data->bytes && !value.data->bytes->empty()) return value.data->bytes->front() != std::byte {0};
    if (!value.producer.valid()) return true; // Not known before the run: it may be.
    const auto* literal = findAttribute<TensorLiteral>(graph[value.producer], "value");
    return !literal || !literal->data.bytes || literal->data.bytes->empty() ||
           literal->data.bytes->front() != std::byte {0};
}

/// Versions before 7 say is_test, 12 and later have the input training_mode.
bool isInference(const Graph& graph, const Node& node)
{
    if (opsetOf(graph, node) < 7) return attributeOr<std::int64_t>(node, "is_test", 0) != 0;
    return node.inputs.size() < 3 || !node.inputs[2].valid() || !isTrue(graph, node.inputs[2]);
}

/// One unknown size, or one of 0 that would mean "as the input", is left to the operator.
void reshapeContents(ShapeSearch& search)
{
    Dims sizes = search.outDims().value_or(Dims(search.count(1), UnknownSize));
    const auto from = search.dims(0);
    const bool copies = search.attribute("allowzero", 0) == 0;
    bool left = false;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool same = from && i < from->size() && (*from)[i] == 0;
        const bool open = sizes[i] == UnknownSize || (sizes[i] == 0 && copies && !same);
        if (!open) continue;
        sizes[i] = left ? 1 : -1;
        left = true;
    }
    search.want(1, sizes);
}

constexpr OpSchema sameBytes(OpSchema row)
{
    if (!row.most) row.grows = First;
    row.evaluate = evaluateSameOrder;
    row.identity = true;
    return row;
}

constexpr OpSchema ReshapeSchemas[] = {
    {.op = "Dropout",
     .signature = "float float? bool? -> 2",
     .infer = inferDropout,
     .grows = AllInputs,
     .contents = [](ShapeSearch& search) { search.wantReals(1, {0.5}); },
     .identity = true,
     .traitsHold = isInference,
     .pureWhere = isInference,
     .derivative = R"(
        (self, ratio#, training#) -> result, mask when random when absent ratio
          self: 2 * g * mask
        (self, ratio#, training#) -> result, mask when random = aten::native_dropout
          self: g * mask / (1 - ratio)
        (self, ratio#, training#)
          self: g)"},
    sameBytes({.op = "Flatten", .signature = "any", .infer = inferFlatten, .derivative = "(self); self: reshape(g)"}),
    {.op = "Identity",
     .signature = "any",
     .infer = inferLikeFirst,
     .grows = AllInputs,
     .evaluate = evaluateSameOrder,
     .identity = true,
     .storages = storages::Copy,
     .derivative = "(self) = aten::clone; self: g"},
    sameBytes({.op = "Reshape",
               .signature = "any int?5",
               .infer = inferReshape,
               .most = mostReshape,
               .contents = reshapeContents,
               .derivative = "(self, shape#) = aten::view aten::reshape; self: reshape(g)"}),
    sameBytes({.op = "Squeeze",
               .signature = "any int?",
               .infer = inferSqueeze,
               .contents =
                   [](ShapeSearch& search) {
                       search.want(1, leftOut(search.dims(0), search.outDims(), search.count(1), true));
                   },
               .derivative = "(self, axes#); self: reshape(g)"}),
    sameBytes({.op = "Unsqueeze",
               .signature = "any int?13",
               .infer = inferUnsqueeze,
               .contents =
                   [](ShapeSearch& search) {
                       search.want(1, leftOut(search.outDims(), search.dims(0), search.count(1), true));
                   },
               .derivative = "(self, axes#); self: reshape(g)"}),
};

} // namespace

constinit const OpFamily reshapeOperators {"", ReshapeSchemas};

} // namespace plimsoll::ops
