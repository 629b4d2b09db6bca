#include "core/ops/dialects/parts_by_shapes.h"

#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

std::optional<std::size_t> onlyDifference(const std::optional<Dims>& part, const std::optional<Dims>& whole)
{
    if (!part || !whole || part->size() != whole->size() || !allKnown(*part) || !allKnown(*whole)) return std::nullopt;
    const auto [own, other] = std::ranges::mismatch(*part, *whole);
    if (own == part->end() || !std::equal(own + 1, part->end(), other + 1)) return std::nullopt;
    return static_cast<std::size_t>(own - part->begin());
}

/// What the first \p count of some tensors have along an axis together; empty where one is not known.
std::optional<std::int64_t> sizeOf(const Graph& graph, const std::vector<ValueId>& values, std::size_t count,
                                   std::size_t axis)
{
    SafeInt sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t size = values[i].valid() ? sizeAt(dimsOf(graph[values[i]].type), axis) : UnknownSize;
        if (size < 0) return std::nullopt;
        sum = sum + size;
    }
    return sum.get();
}

} // namespace

AccessMap joinedByShapes(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const Node& node = facts.node();
    const auto part = facts.dims(input);
    const auto axis = onlyDifference(part, dimsOf(facts.graph()[node.outputs[output]].type));
    const auto before = axis ? sizeOf(facts.graph(), node.inputs, input, *axis) : std::nullopt;
    if (!before) return {};
    AccessMap map = sameIndex(part->size());
    map.axes[*axis].start = -*before;
    return map;
}

AccessMap cutByShapes(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const Node& node = facts.node();
    const auto part = dimsOf(facts.graph()[node.outputs[output]].type);
    const auto axis = onlyDifference(part, facts.dims(input));
    const auto before = axis ? sizeOf(facts.graph(), node.outputs, output, *axis) : std::nullopt;
    if (!before) return {};
    AccessMap map = sameIndex(part->size());
    map.axes[*axis].start = *before;
    return map;
}

} // namespace plimsoll::ops
