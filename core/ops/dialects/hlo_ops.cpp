#include "core/ops/dialects/hlo_ops.h"

#include "core/base/narrow.h"
#include "core/ops/alike_rows.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/while_loop.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace plimsoll::ops {

namespace {

using Kind = BodyLink::Kind;

// Attributes are kept as texts and cut where they are long, so no two nodes are known to compute the same: none is
// pure.

/// What may share with operands by HloDataflowAnalysis::CanShareOperandBufferWithUser.
constexpr OpSchema over(Operands inputs)
{
    return {.op = {}, .signature = AnyForm, .inPlace = inputs, .pure = false};
}

AccessMap xlaAccess(NodeFacts& facts, std::size_t input, std::size_t output)
{
    const Node& node = facts.node();
    std::vector<const TensorType*> operands;
    for (std::size_t i = 0; i < facts.inputCount(); ++i)
        operands.push_back(&facts.type(i));
    return accessInXla({node.op, node.attributes, operands, facts.graph()[node.outputs[output]].type}, input);
}

/// The branches read what they are handed where it is.
std::vector<BodyLink> conditionalLinks(const Graph& graph, NodeId owner, BodyId body)
{
    std::vector<BodyLink> links;
    const std::size_t count = std::min(graph[body].outputs.size(), graph[owner].outputs.size());
    for (int i = 0; i < narrow<int>(count); ++i)
        links.push_back({Kind::Branch, -1, -1, i, i});
    return links;
}

const BodyTraits Conditional {
    .rule = BodyRule::Branch,
    .links = conditionalLinks,
    .outer = [](const NodeFacts&, const BodyLink&, const TensorType& bodyOutput, std::int64_t) { return bodyOutput; }};

/// What XLA calls elementwise (HloInstruction::IsElementwise); its buffer assignment lets the result take over the
/// buffer of an operand of the same shape and layout.
constexpr auto Elementwise =
    alike<"abs acos acosh add and asin asinh atan2 atanh bitcast-convert cbrt ceil clamp compare complex "
          "convert copy cosh cosine count-leading-zeros divide erf exponential exponential-minus-one floor imag "
          "is-finite log log-plus-one logistic map maximum minimum multiply negate not or popcnt power real "
          "reduce-precision remainder round-nearest-afz round-nearest-even rsqrt select shift-left "
          "shift-right-arithmetic shift-right-logical sign sine sinh sqrt stochastic-convert subtract tan tanh "
          "xor">(over(AllInputs));

constexpr auto XlaSchemas = joined(
    Elementwise, alike<"dynamic-update-slice scatter set-dimension-size sort">(over(First)),
    alike<"triangular-solve">(over(Second)),
    alike<"concatenate pad slice">({.op = {}, .signature = AnyForm, .access = xlaAccess, .moves = true, .pure = false}),
    std::to_array<OpSchema>({
        {.op = "bitcast", .signature = AnyForm, .view = true, .pure = false},
        {.op = "conditional", .signature = AnyForm, .pure = false, .bodies = &Conditional},
        {.op = "get-dimension-size", .signature = AnyForm, .ignored = First, .pure = false},
        {.op = "reshape", .signature = AnyForm, .inPlace = First, .identity = true, .pure = false},
        {.op = "while", .signature = AnyForm, .pure = false, .bodies = &WhileLoop},
    }));

} // namespace

constinit const OpFamily xlaOperators {"xla", XlaSchemas};

} // namespace plimsoll::ops

namespace plimsoll {
namespace {

/// All numbers of a text, in order: "{[0:3], [2:8:2]}" is 0 3 2 8 2. Empty where it was cut, or has one that does not
/// fit.
std::vector<std::int64_t> numbersIn(std::string_view text)
{
    std::vector<std::int64_t> numbers;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
        std::int64_t number = 0;
        const auto [next, failed] = std::from_chars(at, end, number);
        if (failed == std::errc::result_out_of_range || text.find("…") != std::string_view::npos) return {};
        if (failed == std::errc()) numbers.push_back(number);
        at = failed == std::errc() ? next : at + 1;
    }
    return numbers;
}

std::string_view textOf(const XlaOperation& operation, std::string_view key)
{
    const auto found = operation.attributes.find(key);
    const auto* text = found == operation.attributes.end() ? nullptr : std::get_if<std::string>(&found->second);
    return text ? std::string_view(*text) : std::string_view();
}

/// Positions of axes, each below \p rank; nothing where the text says others.
std::optional<std::vector<std::size_t>> axesOf(const XlaOperation& operation, std::size_t rank)
{
    std::vector<std::size_t> axes;
    for (const std::int64_t axis : numbersIn(textOf(operation, "dimensions"))) {
        if (axis < 0 || static_cast<std::size_t>(axis) >= rank) return std::nullopt;
        axes.push_back(static_cast<std::size_t>(axis));
    }
    return axes;
}

using XlaAccess = AccessMap (*)(const XlaOperation&, const Dims& from, const Dims& to, std::size_t operand);

/// Axis a of the operand is axis dimensions[a] of the result.
AccessMap broadcastAccess(const XlaOperation& operation, const Dims& from, const Dims& to, std::size_t)
{
    const auto axes = axesOf(operation, to.size());
    if (!axes || axes->size() != from.size()) return {};
    AccessMap map = sameIndex(from.size());
    for (std::size_t a = 0; a < from.size(); ++a)
        map.axes[a].from = from[a] == 1 && to[(*axes)[a]] != 1 ? AccessAxis::One : static_cast<int>((*axes)[a]);
    return map;
}

/// Axis i of the result is axis dimensions[i] of the operand.
AccessMap transposeAccess(const XlaOperation& operation, const Dims& from, const Dims&, std::size_t)
{
    const auto axes = axesOf(operation, from.size());
    if (!axes || axes->size() != from.size()) return {};
    AccessMap map = sameIndex(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        map.axes[(*axes)[i]].from = static_cast<int>(i);
    return map;
}

AccessMap reverseAccess(const XlaOperation& operation, const Dims& from, const Dims&, std::size_t)
{
    const auto axes = axesOf(operation, from.size());
    if (!axes) return {};
    AccessMap map = sameIndex(from.size());
    for (const std::size_t axis : *axes)
        map.axes[axis] = {static_cast<int>(axis), -1, from[axis] - 1};
    return map;
}

/// "{[begin:end:step], …}"; a step of 1 is left out.
AccessMap sliceAccess(const XlaOperation& operation, const Dims& from, const Dims&, std::size_t)
{
    AccessMap map = sameIndex(from.size());
    std::string_view text = textOf(operation, "slice");
    for (AccessAxis& axis : map.axes) {
        const std::size_t end = text.find(']');
        const auto numbers = numbersIn(text.substr(0, end));
        if (end == std::string_view::npos || numbers.size() < 2 || numbers.size() > 3) return {};
        axis.start = numbers[0];
        axis.step = numbers.size() == 3 ? numbers[2] : 1;
        text.remove_prefix(end + 1);
    }
    return map;
}

/// "low_high_interior x …"; what is between the elements is left out where it is 0.
AccessMap padAccess(const XlaOperation& operation, const Dims& from, const Dims&, std::size_t operand)
{
    if (operand != 0) return {};
    AccessMap map = sameIndex(from.size());
    std::string_view text = textOf(operation, "padding");
    for (AccessAxis& axis : map.axes) {
        const std::size_t end = std::min(text.find('x'), text.size());
        const auto numbers = numbersIn(text.substr(0, end));
        if (numbers.size() < 2 || (numbers.size() == 3 && numbers[2] != 0)) return {};
        axis.start = -numbers[0];
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return map;
}

AccessMap concatenateAccess(const XlaOperation& operation, const Dims& from, const Dims&, std::size_t operand)
{
    const auto axes = axesOf(operation, from.size());
    if (!axes || axes->size() != 1) return {};
    AccessMap map = sameIndex(from.size());
    for (std::size_t i = 0; i < operand; ++i) {
        const std::int64_t before = sizeAt(dimsOf(*operation.operands[i]), axes->front());
        if (before < 0) return {};
        map.axes[axes->front()].start -= before;
    }
    return map;
}

AccessMap reduceAccess(const XlaOperation& operation, const Dims& from, const Dims& to, std::size_t operand)
{
    const auto axes = axesOf(operation, from.size());
    if (!axes || from.size() != to.size() + axes->size() || operand >= operation.operands.size() / 2) return {};
    AccessMap map {AccessMap::Kind::Axes, std::vector<AccessAxis>(from.size())};
    int next = 0;
    for (std::size_t a = 0; a < from.size(); ++a) {
        if (std::ranges::find(*axes, a) == axes->end()) map.axes[a].from = next++;
    }
    return map;
}

/// Index operands begin at \p first; a slice as long as its axis begins at 0.
AccessMap movedBy(std::size_t first, const Dims& whole, const Dims& slice, std::int64_t times)
{
    AccessMap map = sameIndex(whole.size());
    for (std::size_t a = 0; a < whole.size(); ++a) {
        if (whole[a] != slice[a]) map.axes[a].moved[first + a] = times;
    }
    return map;
}

AccessMap dynamicSliceAccess(const XlaOperation&, const Dims& from, const Dims& to, std::size_t operand)
{
    return operand == 0 && from.size() == to.size() ? movedBy(1, from, to, 1) : AccessMap();
}

/// Elements of operand 0 stay where they are.
AccessMap dynamicUpdateSliceAccess(const XlaOperation&, const Dims& from, const Dims& to, std::size_t operand)
{
    if (operand == 0) return sameIndex(from.size());
    return operand == 1 && from.size() == to.size() ? movedBy(2, to, from, -1) : AccessMap();
}

AccessMap orderAccess(const XlaOperation&, const Dims&, const Dims&, std::size_t)
{
    return {AccessMap::Kind::Order};
}

AccessMap firstStays(const XlaOperation&, const Dims& from, const Dims&, std::size_t operand)
{
    return operand == 0 ? sameIndex(from.size()) : AccessMap();
}

struct XlaAccessRow
{
    std::string_view opcode;
    XlaAccess access;
};
/// Source: the semantics of each operation in XLA's operation semantics.
constexpr XlaAccessRow XlaAccesses[] = {
    {"bitcast", orderAccess},
    {"broadcast", broadcastAccess},
    {"concatenate", concatenateAccess},
    {"dynamic-slice", dynamicSliceAccess},
    {"dynamic-update-slice", dynamicUpdateSliceAccess},
    {"pad", padAccess},
    {"reduce", reduceAccess},
    {"reshape", orderAccess},
    {"reverse", reverseAccess},
    {"scatter", firstStays},
    {"slice", sliceAccess},
    {"transpose", transposeAccess},
};

} // namespace

AccessMap accessInXla(const XlaOperation& operation, std::size_t operand)
{
    const auto from = dimsOf(*operation.operands[operand]);
    const auto to = dimsOf(operation.result);
    if (!from || !to || !allKnown(*from) || !allKnown(*to)) return {};
    const OpSchema* schema = findSchema("xla", operation.opcode);
    const bool alike = from->empty() || from->size() == to->size();
    if (schema && schema->inPlace == AllInputs) return alike ? sameIndex(from->size()) : AccessMap();
    const auto* row = std::ranges::find(XlaAccesses, operation.opcode, &XlaAccessRow::opcode);
    return row == std::end(XlaAccesses) ? AccessMap() : row->access(operation, *from, *to, operand);
}

} // namespace plimsoll
