#include "core/ops/literal_elements.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/parameters.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"
#include "core/ops/sparse_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace plimsoll::ops {

namespace {

using Maybe = std::optional<Scalar>;
using BinaryFunction = Maybe (*)(const Scalar&, const Scalar&);

Maybe ofChecked(SafeInt number)
{
    const auto value = number.get();
    return value ? Maybe(Scalar::ofInteger(*value)) : std::nullopt;
}
Maybe ofBool(bool holds)
{
    return Scalar::ofInteger(holds ? 1 : 0);
}

template <typename Operation>
Maybe arithmetic(const Scalar& a, const Scalar& b)
{
    return a.isFloat ? Maybe(Scalar::ofReal(Operation()(a.real, b.asReal())))
                     : ofChecked(Operation()(SafeInt(a.integer), SafeInt(b.integer)));
}
template <typename Relation>
Maybe holds(const Scalar& a, const Scalar& b)
{
    return ofBool(a.isFloat ? Relation()(a.real, b.asReal()) : Relation()(a.integer, b.integer));
}
template <typename Connective>
Maybe logical(const Scalar& a, const Scalar& b)
{
    return ofBool(Connective()(a.integer != 0, b.integer != 0));
}
/// Integers are divided as in C: towards zero.
Maybe quotient(const Scalar& a, const Scalar& b)
{
    if (a.isFloat) return Scalar::ofReal(a.real / b.asReal());
    if (b.integer == 0 || (b.integer == -1 && a.integer == INT64_MIN)) return std::nullopt;
    return Scalar::ofInteger(a.integer / b.integer);
}
Maybe power(const Scalar& a, const Scalar& b)
{
    if (a.isFloat) return Scalar::ofReal(std::pow(a.real, b.asReal()));
    if (b.isFloat || b.integer < 0 || b.integer > 63) return std::nullopt;
    SafeInt result = 1;
    for (std::int64_t i = 0; i < b.integer; ++i)
        result = result * a.integer;
    return ofChecked(result);
}
Maybe larger(const Scalar& a, const Scalar& b)
{
    if (a.isFloat && (std::isnan(a.real) || std::isnan(b.asReal()))) return std::nullopt;
    return a.isFloat ? (a.real < b.asReal() ? b : a) : (a.integer < b.integer ? b : a);
}
Maybe smaller(const Scalar& a, const Scalar& b)
{
    if (a.isFloat && (std::isnan(a.real) || std::isnan(b.asReal()))) return std::nullopt;
    return a.isFloat ? (b.asReal() < a.real ? b : a) : (b.integer < a.integer ? b : a);
}
/// Sign of the divisor.
Maybe pythonModulo(const Scalar& a, const Scalar& b)
{
    if (a.isFloat || b.integer == 0) return std::nullopt;
    if (b.integer == -1) return Scalar::ofInteger(0);
    const std::int64_t rest = a.integer % b.integer;
    return Scalar::ofInteger(rest != 0 && (rest < 0) != (b.integer < 0) ? rest + b.integer : rest);
}
/// Sign of the dividend.
Maybe cModulo(const Scalar& a, const Scalar& b)
{
    if (a.isFloat) return Scalar::ofReal(std::fmod(a.real, b.asReal()));
    if (b.integer == 0) return std::nullopt;
    return Scalar::ofInteger(b.integer == -1 ? 0 : a.integer % b.integer);
}

/// The running result of all inputs but the last, combined with one more.
void combine(PartialTensor& result, const PartialTensor& other, BinaryFunction function, DType dtype)
{
    const auto offsets = broadcastOffsets(other.shape, result.shape);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        auto& a = result.elements[i];
        const auto& b = other.elements[static_cast<std::size_t>(offsets[i])];
        const Maybe combined = a && b ? function(*a, *b) : std::nullopt;
        a = combined ? asType(dtype, *combined) : std::nullopt;
    }
}

void evaluateCombined(NodeFacts& facts, BinaryFunction function)
{
    for (std::size_t i = 0; i < facts.inputCount(); ++i) {
        if (!facts.hasContent(i)) return;
    }
    PartialTensor* to = facts.start(0);
    if (!to || facts.inputCount() == 0) return;
    const PartialTensor& first = facts.content(0);
    if (!first.tracked || first.shape.size() > to->shape.size()) return void(to->tracked = false);
    const auto offsets = broadcastOffsets(first.shape, to->shape);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        to->elements[i] = first.elements[static_cast<std::size_t>(offsets[i])];
    }
    for (std::size_t i = 1; i < facts.inputCount(); ++i) {
        const PartialTensor& other = facts.content(i);
        if (!other.tracked || other.shape.size() > to->shape.size()) return void(to->tracked = false);
        combine(*to, other, function, to->dtype);
    }
}

template <BinaryFunction Function>
void evaluateAll(NodeFacts& facts)
{
    if (facts.node().domain.empty() && facts.opset() < 7 && facts.attribute("axis", -1) != -1) return;
    evaluateCombined(facts, Function);
}

Status inferWhere(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferBroadcast(facts));
    facts.output(0).type.dtype = facts.dtype(1) != DType::Unknown ? facts.dtype(1) : facts.dtype(2);
    return {};
}

void evaluateWhere(NodeFacts& facts)
{
    if (!facts.hasContent(0) || (!facts.hasContent(1) && !facts.hasContent(2))) return;
    PartialTensor* to = facts.start(0);
    if (!to || !facts.content(0).tracked) return;
    const PartialTensor& condition = facts.content(0);
    const auto choice = broadcastOffsets(condition.shape, to->shape);
    for (std::size_t branch = 1; branch <= 2; ++branch) {
        const PartialTensor& from = facts.content(branch);
        if (!from.tracked) continue;
        const auto offsets = broadcastOffsets(from.shape, to->shape);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const auto& chosen = condition.elements[static_cast<std::size_t>(choice[i])];
            const bool taken = chosen && (chosen->integer != 0) == (branch == 1);
            if (taken) to->elements[i] = from.elements[static_cast<std::size_t>(offsets[i])];
        }
    }
}

/// No integer is divided by zero.
void divisor(ShapeSearch& search)
{
    if (isInteger(search.dtype(1))) search.wantAll(1, 1);
}

constexpr OpSchema combined(OpSchema row)
{
    row.infer = inferBroadcast;
    row.most = mostBroadcast;
    row.access = elementwiseAccess;
    row.inPlace = AllInputs;
    return row;
}
constexpr OpSchema compared(OpSchema row)
{
    row.infer = inferComparison;
    row.most = mostBroadcast;
    row.access = elementwiseAccess;
    row.inPlace = AllInputs;
    return row;
}

/// Nothing is stretched: the gate has the shape of what it lets through.
Status inferSwiGlu(NodeFacts& facts)
{
    const auto gate = facts.dims(0);
    const auto linear = facts.dims(1);
    const auto fit = [](std::int64_t a, std::int64_t b) { return sameSize(a, b).has_value(); };
    if (gate && linear && !std::ranges::equal(*gate, *linear, fit))
        return facts.error(say("ops.gate-shape", describe(facts.type(0)), describe(facts.type(1))));
    return inferLikeFirst(facts);
}

constexpr OpSchema BinarySchemas[] = {
    combined({.op = "Add",
              .signature = "number:T number:T",
              .evaluate = evaluateAll<arithmetic<std::plus<>>>,
              .storages = storages::Sum,
              .derivative = "(self, other) = aten::add; self: g; other: g"}),
    compared({.op = "And", .signature = "bool bool", .evaluate = evaluateAll<logical<std::logical_and<>>>}),
    combined({.op = "BitShift", .signature = "int:T int:T", .choices = {{"direction", "LEFT|RIGHT"}}}),
    combined({.op = "BitwiseAnd", .signature = "int:T int:T"}),
    combined({.op = "BitwiseOr", .signature = "int:T int:T"}),
    combined({.op = "BitwiseXor", .signature = "int:T int:T"}),
    {.op = "Clip",
     .signature = "number:T number:T? number:T?",
     .infer = inferLikeFirst,
     .grows = AllInputs,
     .inPlace = First,
     .derivative = R"(
        (self, min#, max#) = aten::clamp
          self: g * (1 - lt(self, min)) * (1 - gt(self, max)) * (1 - lt(self, attr(min, -1e300))) * (1 - gt(self, attr(max, 1e300))))"},
    combined({.op = "Div",
              .signature = "number:T number:T",
              .evaluate = evaluateAll<quotient>,
              .contents = divisor,
              .derivative = R"(
        (self, other#) when number other = aten::div.Scalar
          self: g / other
        (self, other) = aten::div
          self: g / other
          other: -g * self / (other * other))"}),
    compared({.op = "Equal", .signature = "any:T any:T", .evaluate = evaluateAll<holds<std::equal_to<>>>}),
    compared({.op = "Greater", .signature = "number:T number:T", .evaluate = evaluateAll<holds<std::greater<>>>}),
    compared({.op = "GreaterOrEqual",
              .signature = "number:T number:T",
              .evaluate = evaluateAll<holds<std::greater_equal<>>>}),
    compared({.op = "Less", .signature = "number:T number:T", .evaluate = evaluateAll<holds<std::less<>>>}),
    compared(
        {.op = "LessOrEqual", .signature = "number:T number:T", .evaluate = evaluateAll<holds<std::less_equal<>>>}),
    combined({.op = "Max", .signature = "number:T+", .evaluate = evaluateAll<larger>, .derivative = R"(
        (self, other) = aten::maximum
          self: g * (gt(self, other) + eq(self, other) / 2)
          other: g * (gt(other, self) + eq(self, other) / 2))"}),
    combined({.op = "Mean", .signature = "number:T+"}),
    combined({.op = "Min", .signature = "number:T+", .evaluate = evaluateAll<smaller>, .derivative = R"(
        (self, other) = aten::minimum
          self: g * (lt(self, other) + eq(self, other) / 2)
          other: g * (lt(other, self) + eq(self, other) / 2))"}),
    {.op = "Mod",
     .signature = "number:T number:T",
     .infer = [](NodeFacts& facts) -> Status {
         // Which remainder of floats is meant is said by fmod; only that of C is defined.
         if (isFloatingPoint(facts.dtype(0)) && facts.attribute("fmod", 0) == 0)
             return facts.error(say("ops.attribute-fmod-1", describe(facts.type(0))));
         return inferBroadcast(facts);
     },
     .most = mostBroadcast,
     .evaluate =
         [](NodeFacts& facts) { evaluateCombined(facts, facts.attribute("fmod", 0) != 0 ? cModulo : pythonModulo); },
     .contents = divisor,
     .choices = {{"fmod", "0|1"}},
     .inPlace = AllInputs,
     .derivative = R"(
        (self, other) when attribute fmod 1 = aten::fmod
          self: g
          other: -g * trunc(self / other))"},
    combined({.op = "Mul",
              .signature = "number:T number:T",
              .evaluate = evaluateAll<arithmetic<std::multiplies<>>>,
              .storages = storages::Product,
              .derivative = R"(
        (self, other#) when number other = aten::mul.Scalar
          self: g * other
        (self#, other) when number self
          other: g * self
        (self, other) = aten::mul
          self: g * other
          other: g * self)"}),
    compared({.op = "Or", .signature = "bool bool", .evaluate = evaluateAll<logical<std::logical_or<>>>}),
    {.op = "PRelu",
     .signature = "number:T number:T",
     .infer = [](NodeFacts& facts) -> Status {
         // Before 7 a slope for each channel (axis 1), or one for all; then what can be stretched to the input.
         facts.setType(0, facts.type(0));
         return facts.opset() < 7 ? Status {} : checkStretches(facts, 1);
     },
     .grows = AllInputs,
     .inPlace = First,
     .derivative = R"(
        (self, weight) = aten::_prelu_kernel
          joint
          self: where(gt(self, 0), g, g * weight)
          weight: where(gt(self, 0), 0, g * self))"},
    {.op = "Pow",
     .signature = "number number",
     .infer = inferBroadcast,
     .most = mostBroadcast,
     .evaluate = evaluateAll<power>,
     .access = elementwiseAccess,
     .inPlace = First,
     .derivative = R"(
        (self, exponent#) when number exponent = aten::pow.Tensor_Scalar
          self: g * exponent * pow(self, exponent - 1)
        (self, exponent) -> result = aten::pow.Tensor_Tensor
          self: g * exponent * pow(self, exponent - 1)
          exponent: where(both(eq(self, 0), ge(exponent, 0)), 0, g * result * log(self)))"},
    combined({.op = "Sub",
              .signature = "number:T number:T",
              .evaluate = evaluateAll<arithmetic<std::minus<>>>,
              .derivative = "(self, other) = aten::sub; self: g; other: -g"}),
    combined({.op = "Sum",
              .signature = "number:T+",
              .evaluate = evaluateAll<arithmetic<std::plus<>>>,
              .derivative = "(inputs...); inputs: g"}),
    {.op = "SwiGLU",
     .signature = "float:T float:T",
     .infer = inferSwiGlu,
     .grows = AllInputs,
     .inPlace = FirstTwo,
     .derivative = R"(
        (self, other)
          self: g * other * sigmoid(attr(alpha, 1) * self) * (1 + attr(alpha, 1) * self * (1 - sigmoid(attr(alpha, 1) * self)))
          other: g * self * sigmoid(attr(alpha, 1) * self))"},
    {.op = "Where",
     .signature = "bool any:T any:T",
     .infer = inferWhere,
     .most = mostBroadcast,
     .evaluate = evaluateWhere,
     .access = elementwiseAccess,
     .inPlace = SecondAndThird,
     .derivative = R"(
        (condition, self, other) = aten::where
          self: where(condition, g, 0)
          other: where(condition, 0, g))"},
    compared({.op = "Xor", .signature = "bool bool", .evaluate = evaluateAll<logical<std::not_equal_to<>>>}),
};

} // namespace

constinit const OpFamily binaryOperators {"", BinarySchemas};

} // namespace plimsoll::ops
