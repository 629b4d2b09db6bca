#include "core/ops/dialects/parts_by_shapes.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <span>

namespace plimsoll::ops {

namespace {

std::optional<std::size_t> onlyDifference(const std::optional<Dims>& part, const std::optional<Dims>& whole)
{
    if (!part || !whole || part->size() != whole->size() || !allKnown(*part) || !allKnown(*whole)) return std::nullopt;
    const auto [own, other] = std::ranges::mismatch(*part, *whole);
    if (own == part->end() || !std::equal(own + 1, part->end(), other + 1)) return std::nullopt;
    return static_cast<std::size_t>(own - part->begin());
}

/// The axis that \p whole has beside those of \p part, if only one of that size can be it.
std::optional<std::size_t> addedAxis(const std::optional<Dims>& part, const std::optional<Dims>& whole,
                                     std::size_t size)
{
    if (!part || !whole || whole->size() != part->size() + 1 || !allKnown(*part)) return std::nullopt;
    std::optional<std::size_t> added;
    for (std::size_t axis = 0; axis < whole->size(); ++axis) {
        Dims with = *part;
        with.insert(with.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(size));
        if (with != *whole) continue;
        if (added) return std::nullopt;
        added = axis;
    }
    return added;
}

/// Of some tensors along an axis.
Dims sizesOf(const Graph& graph, std::span<const ValueId> values, std::size_t axis)
{
    Dims sizes;
    for (const ValueId value : values)
        sizes.push_back(value.valid() ? sizeAt(dimsOf(graph[value].type), axis) : UnknownSize);
    return sizes;
}

/// Of an operator that joins \p parts, or cuts into them; empty where the size of one before is not known.
std::optional<std::int64_t> startOf(NodeFacts& facts, std::span<const ValueId> parts, std::size_t part,
                                    std::size_t axis)
{
    const auto& starts = facts.starts(axis, [&] { return sizesOf(facts.graph(), parts, axis); });
    return part < starts.size() ? std::optional(starts[part]) : std::nullopt;
}

} // namespace

AccessMap joinedByShapes(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const Node& node = facts.node();
    const auto part = facts.dims(input);
    const auto axis = onlyDifference(part, dimsOf(facts.graph()[node.outputs[output]].type));
    const auto before = axis ? startOf(facts, node.inputs, input, *axis) : std::nullopt;
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
    const auto before = axis ? startOf(facts, node.outputs, output, *axis) : std::nullopt;
    if (!before) return {};
    AccessMap map = sameIndex(part->size());
    map.axes[*axis].start = *before;
    return map;
}

AccessMap stackedAlong(std::size_t axis, std::size_t rank, std::size_t input)
{
    AccessMap map = sameIndex(rank);
    for (std::size_t i = axis; i < rank; ++i)
        map.axes[i].from = narrow<int>(i + 1);
    map.only[axis] = static_cast<std::int64_t>(input);
    return map;
}

AccessMap stackedByShapes(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const Node& node = facts.node();
    const auto part = facts.dims(input);
    const auto axis = addedAxis(part, dimsOf(facts.graph()[node.outputs[output]].type), node.inputs.size());
    return axis ? stackedAlong(*axis, part->size(), input) : AccessMap {};
}

AccessMap unstackedByShapes(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const Node& node = facts.node();
    const auto whole = facts.dims(input);
    const auto axis = addedAxis(dimsOf(facts.graph()[node.outputs[output]].type), whole, node.outputs.size());
    if (!axis) return {};
    AccessMap map = sameIndex(whole->size());
    map.axes[*axis] = {AccessAxis::One, 1, static_cast<std::int64_t>(output)};
    for (std::size_t i = *axis + 1; i < whole->size(); ++i)
        map.axes[i].from = narrow<int>(i - 1);
    return map;
}

} // namespace plimsoll::ops
