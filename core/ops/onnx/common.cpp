#include "core/ops/onnx/op_families.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

Status inferCommonShape(NodeFacts& facts, DType dtype)
{
    std::optional<Dims> common = facts.dims(0);
    for (std::size_t i = 1; i < facts.inputCount() && common; ++i) {
        if (!facts.has(i)) continue;
        const auto other = facts.dims(i);
        if (!other) {
            common.reset();
            break;
        }
        auto joined = broadcast(*common, *other);
        if (!joined) {
            return facts.error(say("ops.shapes-cannot-broadcast", describe(facts.type(0)), describe(facts.type(i))));
        }
        common = std::move(joined);
    }
    return facts.give(dtype, common);
}

/// Before version 7 the second operand is stretched to the first, from an axis on, where the attribute says so.
bool keepsFirstShape(const NodeFacts& facts)
{
    return facts.node().domain.empty() && facts.opset() < 7 && facts.attribute("broadcast", 0) != 0;
}

} // namespace

Dims largerShape(const Dims& a, const Dims& b)
{
    Dims most = a.size() >= b.size() ? a : b;
    const Dims& shorter = a.size() >= b.size() ? b : a;
    const std::size_t shift = most.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i)
        most[shift + i] = std::max(most[shift + i], shorter[i]);
    return most;
}

Status inferLikeFirst(NodeFacts& facts)
{
    return facts.give(facts.type(0));
}

Status inferLikeFirstAlongAxis(NodeFacts& facts)
{
    const auto* axis = findAttribute<std::int64_t>(facts.node(), "axis");
    const auto dims = facts.dims(0);
    // Before 13 the axis may also be the rank: it says where the axes are cut into two parts.
    const bool cuts = facts.opset() < 13;
    const bool behind = axis && dims && cuts && *axis == static_cast<std::int64_t>(dims->size());
    if (axis && dims && !dims->empty() && !behind && !normalAxis(*axis, dims->size()))
        return facts.error(say("ops.axis-outside", word::Number {*axis}, describe(facts.type(0))));
    return inferLikeFirst(facts);
}

Status inferBroadcast(NodeFacts& facts)
{
    if (keepsFirstShape(facts)) return inferLikeFirst(facts);
    DType dtype = facts.dtype(0);
    for (std::size_t i = 1; dtype == DType::Unknown && i < facts.inputCount(); ++i)
        dtype = facts.dtype(i);
    return inferCommonShape(facts, dtype);
}

Status inferComparison(NodeFacts& facts)
{
    if (!keepsFirstShape(facts)) return inferCommonShape(facts, DType::Bool);
    return facts.give(DType::Bool, facts.dims(0));
}

Status mostBroadcast(NodeFacts& facts)
{
    if (keepsFirstShape(facts)) return inferLikeFirst(facts);
    Dims most;
    for (std::size_t i = 0; i < facts.inputCount(); ++i) {
        if (!facts.has(i)) continue;
        const auto dims = facts.dims(i);
        if (!dims || !allKnown(*dims)) return {};
        most = largerShape(most, *dims);
    }
    return facts.give(facts.dtype(0), most);
}

AccessMap elementwiseAccess(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const auto from = facts.dims(input);
    const auto to = dimsOf(facts.graph()[facts.node().outputs[output]].type);
    if (!from || !to || !allKnown(*from) || !allKnown(*to) || from->size() > to->size()) return {};
    if (keepsFirstShape(facts) && from != to) return {}; // stretched from an axis that is an attribute
    AccessMap map = sameIndex(from->size());
    const std::size_t added = to->size() - from->size();
    for (std::size_t axis = 0; axis < from->size(); ++axis) {
        const bool stretched = (*from)[axis] == 1 && (*to)[axis + added] != 1;
        map.axes[axis].from = stretched ? AccessAxis::One : static_cast<int>(axis + added);
    }
    return map;
}

void evaluateSameOrder(NodeFacts& facts)
{
    if (!facts.hasContent(0)) return;
    const PartialTensor& from = facts.content(0);
    PartialTensor* to = facts.start(0);
    if (to && from.tracked && from.elements.size() == to->elements.size()) to->elements = from.elements;
}

void evaluateMoved(NodeFacts& facts, const std::vector<std::int64_t>& offsets)
{
    const PartialTensor& from = facts.content(0);
    PartialTensor* to = facts.start(0);
    if (!to || !from.tracked || offsets.size() != to->elements.size()) return;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const auto offset = static_cast<std::size_t>(offsets[i]);
        if (offset < from.elements.size()) to->elements[i] = from.elements[offset];
    }
}

} // namespace plimsoll::ops
