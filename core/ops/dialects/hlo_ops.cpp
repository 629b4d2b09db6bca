#include "core/ops/dialects/hlo_ops.h"

#include "core/base/narrow.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/while_loop.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::ops {

namespace {

using Kind = BodyLink::Kind;

// Attributes are kept as texts and cut where they are long, so no two nodes are known to compute the same: none is
// pure.

/// What XLA calls elementwise (HloInstruction::IsElementwise); its buffer assignment lets the result take over the
/// buffer of an operand of the same shape and layout (HloDataflowAnalysis::CanShareOperandBufferWithUser).
constexpr OpSchema elementwise(std::string_view op)
{
    return {.op = op, .signature = AnyForm, .inPlace = AllInputs, .pure = false};
}

/// What may share with operands by the same function, and is not elementwise.
constexpr OpSchema over(std::string_view op, Operands inputs)
{
    return {.op = op, .signature = AnyForm, .inPlace = inputs, .pure = false};
}

int countOf(const std::vector<ValueId>& values)
{
    return narrow<int>(values.size());
}

/// The branches read what they are handed where it is.
std::vector<BodyLink> conditionalLinks(const Graph& graph, NodeId owner, BodyId body)
{
    std::vector<BodyLink> links;
    for (int i = 0; i < std::min(countOf(graph[body].outputs), countOf(graph[owner].outputs)); ++i)
        links.push_back({Kind::Branch, -1, -1, i, i});
    return links;
}

TensorType likeBody(const NodeFacts&, const BodyLink&, const TensorType& bodyOutput, std::int64_t)
{
    return bodyOutput;
}

const BodyTraits Conditional {.rule = BodyRule::Branch, .links = conditionalLinks, .outer = likeBody};

constexpr OpSchema Schemas[] = {
    elementwise("abs"),
    elementwise("acos"),
    elementwise("acosh"),
    elementwise("add"),
    elementwise("and"),
    elementwise("asin"),
    elementwise("asinh"),
    elementwise("atan2"),
    elementwise("atanh"),
    elementwise("bitcast-convert"),
    elementwise("cbrt"),
    elementwise("ceil"),
    elementwise("clamp"),
    elementwise("compare"),
    elementwise("complex"),
    elementwise("convert"),
    elementwise("copy"),
    elementwise("cosh"),
    elementwise("cosine"),
    elementwise("count-leading-zeros"),
    elementwise("divide"),
    elementwise("erf"),
    elementwise("exponential"),
    elementwise("exponential-minus-one"),
    elementwise("floor"),
    elementwise("imag"),
    elementwise("is-finite"),
    elementwise("log"),
    elementwise("log-plus-one"),
    elementwise("logistic"),
    elementwise("map"),
    elementwise("maximum"),
    elementwise("minimum"),
    elementwise("multiply"),
    elementwise("negate"),
    elementwise("not"),
    elementwise("or"),
    elementwise("popcnt"),
    elementwise("power"),
    elementwise("real"),
    elementwise("reduce-precision"),
    elementwise("remainder"),
    elementwise("round-nearest-afz"),
    elementwise("round-nearest-even"),
    elementwise("rsqrt"),
    elementwise("select"),
    elementwise("shift-left"),
    elementwise("shift-right-arithmetic"),
    elementwise("shift-right-logical"),
    elementwise("sign"),
    elementwise("sine"),
    elementwise("sinh"),
    elementwise("sqrt"),
    elementwise("stochastic-convert"),
    elementwise("subtract"),
    elementwise("tan"),
    elementwise("tanh"),
    elementwise("xor"),
    over("dynamic-update-slice", First),
    over("scatter", First),
    over("set-dimension-size", First),
    over("sort", First),
    over("triangular-solve", Second),
    {.op = "bitcast", .signature = AnyForm, .view = true, .pure = false},
    {.op = "conditional", .signature = AnyForm, .pure = false, .bodies = &Conditional},
    {.op = "get-dimension-size", .signature = AnyForm, .ignored = First, .pure = false},
    {.op = "reshape", .signature = AnyForm, .inPlace = First, .identity = true, .pure = false},
    {.op = "while", .signature = AnyForm, .pure = false, .bodies = &WhileLoop},
};

} // namespace

std::span<const OpSchema> xlaSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops

namespace plimsoll {

bool isElementwiseInXla(std::string_view opcode, std::size_t operand)
{
    const OpSchema* schema = findSchema("xla", opcode);
    return schema && (schema->inPlace == AllInputs || (opcode == "dynamic-update-slice" && operand == 0));
}

} // namespace plimsoll
