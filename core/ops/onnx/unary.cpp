#include "core/ops/alike_rows.h"
#include "core/ops/literal_elements.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/safe_int.h"
#include "core/ops/sparse_tables.h"

#include <cmath>

namespace plimsoll::ops {

namespace {

using Maybe = std::optional<Scalar>;

Maybe ofChecked(SafeInt number)
{
    const auto value = number.get();
    return value ? Maybe(Scalar::ofInteger(*value)) : std::nullopt;
}

Maybe negated(const Scalar& x)
{
    return x.isFloat ? Maybe(Scalar::ofReal(-x.real)) : ofChecked(SafeInt(0) - x.integer);
}
Maybe magnitude(const Scalar& x)
{
    if (x.isFloat) return Scalar::ofReal(std::fabs(x.real));
    return x.integer < 0 ? negated(x) : Maybe(x);
}
Maybe signOf(const Scalar& x)
{
    if (!x.isFloat) return Scalar::ofInteger((x.integer > 0) - (x.integer < 0));
    return std::isnan(x.real) ? x : Scalar::ofReal((x.real > 0) - (x.real < 0));
}
Maybe opposite(const Scalar& x)
{
    return Scalar::ofInteger(x.integer == 0);
}
Maybe rectified(const Scalar& x)
{
    if (x.isFloat) return x.real < 0 ? Scalar::ofReal(0) : x;
    return x.integer < 0 ? Scalar::ofInteger(0) : x;
}
Maybe inverted(const Scalar& x)
{
    return Scalar::ofReal(1 / x.asReal());
}
template <double (*Round)(double)>
Maybe rounded(const Scalar& x)
{
    return x.isFloat ? Scalar::ofReal(Round(x.real)) : x;
}
Maybe root(const Scalar& x)
{
    return Scalar::ofReal(std::sqrt(x.asReal()));
}

template <Maybe (*Function)(const Scalar&)>
void evaluateEach(NodeFacts& facts)
{
    if (!facts.hasContent(0)) return;
    const PartialTensor& from = facts.content(0);
    PartialTensor* to = facts.start(0);
    if (!to || !from.tracked || from.elements.size() != to->elements.size()) return;
    for (std::size_t i = 0; i < from.elements.size(); ++i) {
        if (!from.elements[i]) continue;
        const Maybe result = Function(*from.elements[i]);
        if (result) to->elements[i] = asType(to->dtype, *result);
    }
}

Status inferBool(NodeFacts& facts)
{
    return facts.give(DType::Bool, facts.dims(0));
}

constexpr OpSchema eachOf(OpSchema row)
{
    row.infer = inferLikeFirst;
    row.grows = First;
    row.access = elementwiseAccess;
    row.inPlace = First;
    return row;
}

/// Zero stays zero.
constexpr OpSchema fromZero(OpSchema row)
{
    row.storages = storages::ZeroStays;
    return eachOf(row);
}

constexpr OpSchema OwnRows[] = {
    fromZero({.op = "Abs",
              .signature = "number",
              .evaluate = evaluateEach<magnitude>,
              .derivative = "(self) = aten::abs; self: g * sign(self)"}),
    eachOf({.op = "Acos", .signature = "float", .derivative = "(self) = aten::acos; self: -g / sqrt(1 - self * self)"}),
    eachOf(
        {.op = "Acosh", .signature = "float", .derivative = "(self) = aten::acosh; self: g / sqrt(self * self - 1)"}),
    fromZero(
        {.op = "Asin", .signature = "float", .derivative = "(self) = aten::asin; self: g / sqrt(1 - self * self)"}),
    fromZero(
        {.op = "Asinh", .signature = "float", .derivative = "(self) = aten::asinh; self: g / sqrt(self * self + 1)"}),
    fromZero({.op = "Atan", .signature = "float", .derivative = "(self) = aten::atan; self: g / (1 + self * self)"}),
    fromZero({.op = "Atanh", .signature = "float", .derivative = "(self) = aten::atanh; self: g / (1 - self * self)"}),
    eachOf({.op = "BitwiseNot", .signature = "int"}),
    fromZero(
        {.op = "Ceil", .signature = "float", .evaluate = evaluateEach<rounded<std::ceil>>, .derivative = "(self)"}),
    fromZero({.op = "Celu",
              .signature = "float",
              .derivative = "(self) = aten::celu; self: where(gt(self, 0), g, g * exp(self / attr(alpha, 1)))"}),
    eachOf({.op = "Cos", .signature = "float", .derivative = "(self) = aten::cos; self: -g * sin(self)"}),
    eachOf({.op = "Cosh", .signature = "float", .derivative = "(self) = aten::cosh; self: g * sinh(self)"}),
    fromZero({.op = "Elu",
              .signature = "float",
              .derivative = "(self) = aten::elu; self: where(gt(self, 0), g, g * attr(alpha, 1) * exp(self))"}),
    fromZero({.op = "Erf",
              .signature = "number",
              .derivative = "(self) = aten::erf; self: g * 1.1283791670955126 * exp(-self * self)"}),
    eachOf({.op = "Exp", .signature = "float", .derivative = "(self) -> result = aten::exp; self: g * result"}),
    fromZero(
        {.op = "Floor", .signature = "float", .evaluate = evaluateEach<rounded<std::floor>>, .derivative = "(self)"}),
    fromZero({.op = "Gelu", .signature = "float", .choices = {{"approximate", "none|tanh"}}, .derivative = R"(
        (self) when attribute approximate tanh
          self: g * (0.5 * (1 + tanh(0.7978845608028654 * (self + 0.044715 * self * self * self))) + 0.5 * self * (1 - pow(tanh(0.7978845608028654 * (self + 0.044715 * self * self * self)), 2)) * 0.7978845608028654 * (1 + 0.134145 * self * self))
        (self) = aten::gelu
          self: g * (0.5 * (1 + erf(self * 0.7071067811865476)) + self * exp(-0.5 * self * self) * 0.3989422804014327))"}),
    eachOf({.op = "HardSigmoid", .signature = "float", .derivative = R"(
        (self) = aten::hardsigmoid
          self: g * attr(alpha, 0.2) * both(gt(attr(alpha, 0.2) * self + attr(beta, 0.5), 0), lt(attr(alpha, 0.2) * self + attr(beta, 0.5), 1)))"}),
    fromZero({.op = "HardSwish", .signature = "float", .derivative = R"(
        (self) = aten::hardswish
          self: g * where(lt(self, -3), 0, where(gt(self, 3), 1, self / 3 + 0.5)))"}),
    {.op = "IsInf", .signature = "float|small", .infer = inferBool, .grows = AllInputs, .inPlace = First},
    {.op = "IsNaN", .signature = "float|small", .infer = inferBool, .grows = AllInputs, .inPlace = First},
    fromZero({.op = "LeakyRelu",
              .signature = "float",
              .derivative = "(self) = aten::leaky_relu; self: where(gt(self, 0), g, g * attr(alpha, 0.01))"}),
    eachOf({.op = "Log", .signature = "float", .derivative = "(self) = aten::log; self: g / self"}),
    fromZero({.op = "Mish", .signature = "float", .derivative = R"(
        (self) = aten::mish
          self: g * (tanh(softplus(self)) + self * (1 - pow(tanh(softplus(self)), 2)) * sigmoid(self)))"}),
    fromZero({.op = "Neg",
              .signature = "number",
              .evaluate = evaluateEach<negated>,
              .derivative = "(self) = aten::neg; self: -g"}),
    eachOf({.op = "Not", .signature = "bool", .evaluate = evaluateEach<opposite>}),
    eachOf({.op = "Reciprocal",
            .signature = "float",
            .evaluate = evaluateEach<inverted>,
            .derivative = "(self) -> result = aten::reciprocal; self: -g * result * result"}),
    fromZero({.op = "Relu",
              .signature = "number",
              .evaluate = evaluateEach<rectified>,
              .derivative = "(self) -> result = aten::relu; self: g * gt(result, 0)",
              .derivative2019 = "(self) = aten::relu; self: g * gt(self, 0)"}),
    fromZero({.op = "Round",
              .signature = "float",
              .evaluate = evaluateEach<rounded<std::nearbyint>>,
              .derivative = "(self)"}),
    fromZero({.op = "Selu", .signature = "float", .derivative = R"(
        (self) = aten::selu
          self: attr(gamma, 1.0507010221481323) * where(gt(self, 0), g, g * attr(alpha, 1.6732631921768188) * exp(self)))"}),
    eachOf({.op = "Shrink", .signature = "number"}),
    eachOf({.op = "Sigmoid",
            .signature = "float",
            .derivative = "(self) -> result = aten::sigmoid; self: g * result * (1 - result)"}),
    fromZero({.op = "Sign", .signature = "number", .evaluate = evaluateEach<signOf>, .derivative = "(self)"}),
    fromZero({.op = "Sin", .signature = "float", .derivative = "(self) = aten::sin; self: g * cos(self)"}),
    fromZero({.op = "Sinh", .signature = "float", .derivative = "(self) = aten::sinh; self: g * cosh(self)"}),
    eachOf({.op = "Softplus", .signature = "float", .derivative = "(self) = aten::softplus; self: g * sigmoid(self)"}),
    fromZero({.op = "Softsign",
              .signature = "float",
              .derivative = "(self); self: g / ((1 + abs(self)) * (1 + abs(self)))"}),
    fromZero({.op = "Sqrt",
              .signature = "float",
              .evaluate = evaluateEach<root>,
              .derivative = "(self) -> result = aten::sqrt; self: g / (2 * result)"}),
    fromZero({.op = "Swish", .signature = "float", .derivative = R"(
        (self) = aten::silu
          self: g * sigmoid(attr(alpha, 1) * self) * (1 + attr(alpha, 1) * self * (1 - sigmoid(attr(alpha, 1) * self))))"}),
    fromZero({.op = "Tan",
              .signature = "float",
              .derivative = "(self) -> result = aten::tan; self: g * (1 + result * result)"}),
    fromZero({.op = "Tanh",
              .signature = "float",
              .derivative = "(self) -> result = aten::tanh; self: g * (1 - result * result)"}),
    fromZero({.op = "ThresholdedRelu",
              .signature = "float",
              .derivative = "(self) = aten::threshold; self: g * gt(self, attr(alpha, 1))"}),
};

/// Experimental operators of the first versions, which old exporters still write.
constexpr auto UnarySchemas =
    joined(std::to_array(OwnRows),
           alike<"Affine ParametricSoftplus Scale ScaledTanh">(eachOf({.op = {}, .signature = "any"})));

} // namespace

constinit const OpFamily unaryOperators {"", UnarySchemas};

} // namespace plimsoll::ops
