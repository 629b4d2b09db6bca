#include "core/ops/dialects/hlo_ops.h"

#include "core/base/narrow.h"
#include "core/ops/alike_rows.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/while_loop.h"

#include <algorithm>
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

constexpr auto XlaSchemas =
    joined(Elementwise, alike<"dynamic-update-slice scatter set-dimension-size sort">(over(First)),
           alike<"triangular-solve">(over(Second)),
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

bool isElementwiseInXla(std::string_view opcode, std::size_t operand)
{
    const OpSchema* schema = findSchema("xla", opcode);
    return schema && (schema->inPlace == AllInputs || (opcode == "dynamic-update-slice" && operand == 0));
}

} // namespace plimsoll
