#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

/// An Error where an index that is known is outside of the axis it counts along. \p sizes are taken in turn.
Status checkIndices(NodeFacts& facts, const Dims& sizes)
{
    const PartialTensor& indices = facts.content(1);
    for (std::size_t i = 0; indices.tracked && !sizes.empty() && i < indices.elements.size(); ++i) {
        const auto& index = indices.elements[i];
        const std::int64_t size = sizes[i % sizes.size()];
        if (size < 0 || !index || index->isFloat || (index->integer >= -size && index->integer < size)) continue;
        return facts.error(
            say("ops.index-outside-axis", word::Number {index->integer}, word::Number {size}, describe(facts.type(0))));
    }
    return {};
}

/// One index for each element along the attribute axis.
Status checkElementIndices(NodeFacts& facts)
{
    const auto data = facts.dims(0);
    if (!data) return {};
    const std::int64_t axis = facts.attribute("axis", 0);
    const auto at = normalAxis(axis, data->size());
    if (!at) return facts.error(say("ops.axis-outside", word::Number {axis}, describe(facts.type(0))));
    return checkIndices(facts, {(*data)[*at]});
}

/// Rows of indices, along the axes behind the first \p batch ones.
Status checkRowIndices(NodeFacts& facts, std::int64_t batch)
{
    const auto data = facts.dims(0);
    const auto indices = facts.dims(1);
    if (!data || !indices || indices->empty() || indices->back() < 0) return {};
    const auto last = (SafeInt(batch) + indices->back()).get().value_or(-1);
    if (batch < 0 || last < 0 || last > static_cast<std::int64_t>(data->size()))
        return facts.error(say("ops.indices-more-columns", describe(facts.type(0))));
    return checkIndices(facts, Dims(data->begin() + batch, data->begin() + last));
}

Status inferGather(NodeFacts& facts)
{
    const auto data = facts.dims(0);
    const auto indices = facts.dims(1);
    if (!data || !indices) return facts.give(facts.dtype(0), std::nullopt);
    const auto axis = normalAxis(facts.attribute("axis", 0), data->size());
    if (!axis) return facts.error(say("ops.outside-axis", describe(facts.type(0))));
    PLIMSOLL_TRY(checkIndices(facts, {(*data)[*axis]}));
    const auto at = data->begin() + static_cast<std::ptrdiff_t>(*axis);
    Dims dims(data->begin(), at);
    dims.insert(dims.end(), indices->begin(), indices->end());
    dims.insert(dims.end(), at + 1, data->end());
    return facts.give(facts.dtype(0), dims);
}

/// outer × indices × inner out of outer × axis × inner.
void evaluateGather(NodeFacts& facts)
{
    if (!facts.hasContent(0) || !facts.hasContent(1)) return;
    PartialTensor* to = facts.start(0);
    if (!to) return;
    const PartialTensor& data = facts.content(0);
    const PartialTensor& indices = facts.content(1);
    if (!data.tracked || !indices.tracked || data.elements.empty()) return void(to->tracked = false);
    const auto axis = normalAxis(facts.attribute("axis", 0), data.shape.size());
    if (!axis) return;
    const auto inner = static_cast<std::size_t>(denseStrides(data.shape)[*axis]);
    const std::int64_t size = data.shape[*axis];
    const std::size_t count = indices.elements.size();
    for (std::size_t i = 0; i < to->elements.size(); ++i) {
        const auto& index = indices.elements[i / inner % count];
        if (!index) continue;
        const std::int64_t row = index->integer < 0 ? index->integer + size : index->integer;
        if (row < 0 || row >= size) continue;
        const std::size_t outer = i / inner / count;
        const std::size_t from =
            (outer * static_cast<std::size_t>(size) + static_cast<std::size_t>(row)) * inner + i % inner;
        to->elements[i] = data.elements[from];
    }
}

Status inferGatherND(NodeFacts& facts)
{
    const auto data = facts.dims(0);
    const auto indices = facts.dims(1);
    if (!data || !indices || indices->empty() || indices->back() < 0) return facts.give(facts.dtype(0), std::nullopt);
    const std::int64_t taken = (SafeInt(facts.attribute("batch_dims", 0)) + indices->back()).get().value_or(-1);
    if (taken < 0 || taken > static_cast<std::int64_t>(data->size())) {
        return facts.error(say("ops.indices-more-columns", describe(facts.type(0))));
    }
    PLIMSOLL_TRY(checkRowIndices(facts, facts.attribute("batch_dims", 0)));
    Dims dims(indices->begin(), indices->end() - 1);
    dims.insert(dims.end(), data->begin() + taken, data->end());
    return facts.give(facts.dtype(0), dims);
}

Status inferScatterElements(NodeFacts& facts)
{
    PLIMSOLL_TRY(checkElementIndices(facts));
    return inferLikeFirst(facts);
}

/// Whole rows that are written over the data, where all indices are known.
void evaluateScatterND(NodeFacts& facts)
{
    if (!facts.hasContent(0) || !facts.hasContent(1) || facts.textAttribute("reduction", "none") != "none") return;
    const auto indices = facts.integers(1);
    const auto shape = facts.dims(1);
    if (!indices || !shape || shape->empty() || !facts.content(0).tracked) return;
    const PartialTensor data = facts.content(0);
    const PartialTensor updates = facts.content(2);
    const auto depth = static_cast<std::size_t>(shape->back());
    if (depth == 0 || depth > data.shape.size()) return;
    const auto strides = denseStrides(data.shape);
    const auto row = static_cast<std::size_t>(strides[depth - 1]);
    PartialTensor* to = facts.start(0);
    if (!to) return;
    to->elements = data.elements;
    for (std::size_t i = 0; i * depth < indices->size(); ++i) {
        std::int64_t begin = 0;
        for (std::size_t d = 0; d < depth; ++d) {
            const std::int64_t index = (*indices)[i * depth + d];
            const std::int64_t wrapped = index < 0 ? index + data.shape[d] : index;
            if (wrapped < 0 || wrapped >= data.shape[d]) return void(to->tracked = false);
            begin += wrapped * strides[d];
        }
        for (std::size_t e = 0; e < row; ++e) {
            const std::size_t from = i * row + e;
            const bool known = updates.tracked && from < updates.elements.size();
            to->elements[static_cast<std::size_t>(begin) + e] = known ? updates.elements[from] : std::nullopt;
        }
    }
}

/// Any row along the axis; those of the indices stand in its place.
AccessMap gatherAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto data = facts.dims(0);
    const auto indices = facts.dims(1);
    const auto axis = data && indices ? normalAxis(facts.attribute("axis", 0), data->size()) : std::nullopt;
    if (!axis) return {};
    const std::size_t among = indices->size();
    AccessMap map = sameIndex(input == 0 ? data->size() : among);
    for (std::size_t i = 0; input == 0 && i < data->size(); ++i) {
        if (i == *axis) map.axes[i] = {};
        if (i > *axis) map.axes[i].from = static_cast<int>(i + among - 1);
    }
    for (std::size_t i = 0; input == 1 && i < among; ++i)
        map.axes[i].from = static_cast<int>(i + *axis);
    return map;
}

void indicesOnAxis(ShapeSearch& search)
{
    search.boundIndices(1, search.attribute("axis", 0));
}

constexpr OpSchema GatherSchemas[] = {
    {.op = "Gather",
     .signature = "any int",
     .infer = inferGather,
     .grows = AllInputs,
     .evaluate = evaluateGather,
     .contents = indicesOnAxis,
     .access = gatherAccess,
     .derivative = "(self, indices) = aten::embedding aten::index_select; self: moved_back(g, indices)"},
    {.op = "GatherElements",
     .signature = "any int",
     .infer = [](NodeFacts& facts) -> Status {
         PLIMSOLL_TRY(checkElementIndices(facts));
         return facts.give(facts.dtype(0), facts.dims(1));
     },
     .grows = AllInputs,
     .contents = indicesOnAxis,
     .derivative = "(self, index) = aten::gather; self: with(moved_back(g, index), held(self))"},
    {.op = "GatherND",
     .signature = "any int",
     .infer = inferGatherND,
     .grows = AllInputs,
     .contents = [](ShapeSearch& search) { search.boundIndicesOfAll(1); }},
    {.op = "Scatter",
     .signature = "any:T int any:T",
     .infer = inferScatterElements,
     .grows = AllInputs,
     .contents = indicesOnAxis,
     .inPlace = First},
    {.op = "ScatterElements",
     .signature = "any:T int any:T",
     .infer = inferScatterElements,
     .grows = AllInputs,
     .contents = indicesOnAxis,
     .choices = {choices::Scattering},
     .inPlace = First,
     .derivative = R"(
        (self, index, src) when attribute reduction add = aten::scatter_add
          self: g
          src: pick_elements(g, index))"},
    {.op = "ScatterND",
     .signature = "any:T int any:T",
     .infer = [](NodeFacts& facts) -> Status {
         PLIMSOLL_TRY(checkRowIndices(facts, 0));
         return inferLikeFirst(facts);
     },
     .grows = AllInputs,
     .evaluate = evaluateScatterND,
     .contents = [](ShapeSearch& search) { search.boundIndicesOfAll(1); },
     .choices = {choices::Scattering},
     .inPlace = First},
    {.op = "TensorScatter",
     .signature = "any:T any:T int?",
     .infer = inferLikeFirst,
     .grows = AllInputs,
     .choices = {{"mode", "linear|circular"}}},
};

} // namespace

constinit const OpFamily gatherOperators {"", GatherSchemas};

} // namespace plimsoll::ops
