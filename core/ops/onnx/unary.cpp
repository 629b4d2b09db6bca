#include "core/ops/literal_elements.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/safe_int.h"

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
Maybe roundedDown(const Scalar& x)
{
    return x.isFloat ? Scalar::ofReal(std::floor(x.real)) : x;
}
Maybe roundedUp(const Scalar& x)
{
    return x.isFloat ? Scalar::ofReal(std::ceil(x.real)) : x;
}
Maybe roundedToEven(const Scalar& x)
{
    return x.isFloat ? Scalar::ofReal(std::nearbyint(x.real)) : x;
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
    facts.set(0, DType::Bool, facts.dims(0));
    return {};
}

constexpr OpSchema eachOf(std::string_view op, EvaluateFunction evaluate = nullptr)
{
    return {.op = op, .infer = inferLikeFirst, .evaluate = evaluate, .inPlace = 1};
}

const OpSchema Schemas[] = {
    eachOf("Abs", evaluateEach<magnitude>),
    eachOf("Acos"),
    eachOf("Acosh"),
    eachOf("Asin"),
    eachOf("Asinh"),
    eachOf("Atan"),
    eachOf("Atanh"),
    eachOf("BitwiseNot"),
    eachOf("Ceil", evaluateEach<roundedUp>),
    eachOf("Celu"),
    eachOf("Cos"),
    eachOf("Cosh"),
    eachOf("Elu"),
    eachOf("Erf"),
    eachOf("Exp"),
    eachOf("Floor", evaluateEach<roundedDown>),
    eachOf("Gelu"),
    eachOf("HardSigmoid"),
    eachOf("HardSwish"),
    {.op = "IsInf", .infer = inferBool, .inPlace = 1},
    {.op = "IsNaN", .infer = inferBool, .inPlace = 1},
    eachOf("LeakyRelu"),
    eachOf("Log"),
    eachOf("Mish"),
    eachOf("Neg", evaluateEach<negated>),
    eachOf("Not", evaluateEach<opposite>),
    eachOf("Reciprocal", evaluateEach<inverted>),
    eachOf("Relu", evaluateEach<rectified>),
    eachOf("Round", evaluateEach<roundedToEven>),
    eachOf("Selu"),
    eachOf("Shrink"),
    eachOf("Sigmoid"),
    eachOf("Sign", evaluateEach<signOf>),
    eachOf("Sin"),
    eachOf("Sinh"),
    eachOf("Softplus"),
    eachOf("Softsign"),
    eachOf("Sqrt", evaluateEach<root>),
    eachOf("Swish"),
    eachOf("Tan"),
    eachOf("Tanh"),
    eachOf("ThresholdedRelu"),
    // Experimental operators of the first versions, which old exporters still write.
    eachOf("Affine"),
    eachOf("ParametricSoftplus"),
    eachOf("Scale"),
    eachOf("ScaledTanh"),
};

} // namespace

std::span<const OpSchema> unarySchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
