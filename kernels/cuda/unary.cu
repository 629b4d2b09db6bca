#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/cudnn_api.h"
#include "kernels/cuda/gelu.h"
#include "kernels/cuda/library_layers.h"
#include "kernels/cuda/map.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

#define PLIMSOLL_FUNCTION(Name, expression)                                                                            \
    struct Name                                                                                                        \
    {                                                                                                                  \
        PLIMSOLL_DEVICE float operator()(float x) const { return expression; }                                         \
    }
/// With one attribute, a.
#define PLIMSOLL_FUNCTION_WITH(Name, attribute, fallback, expression)                                                  \
    struct Name                                                                                                        \
    {                                                                                                                  \
        explicit Name(const KernelCall& call) : a(static_cast<float>(floatAttribute(call, attribute, fallback))) {}    \
        PLIMSOLL_DEVICE float operator()(float x) const { return expression; }                                         \
        float a;                                                                                                       \
    }

PLIMSOLL_DEVICE inline float sigmoidOf(float x)
{
    return 1 / (1 + expf(-x));
}

PLIMSOLL_DEVICE inline float softplusOf(float x)
{
    return (x < 0 ? 0 : x) + log1pf(expf(-fabsf(x)));
}

PLIMSOLL_DEVICE inline float clampTo(float x, float low, float high)
{
    return x < low ? low : high < x ? high : x;
}

PLIMSOLL_FUNCTION(Abs, fabsf(x));
PLIMSOLL_FUNCTION(Acos, acosf(x));
PLIMSOLL_FUNCTION(Acosh, acoshf(x));
PLIMSOLL_FUNCTION(Asin, asinf(x));
PLIMSOLL_FUNCTION(Asinh, asinhf(x));
PLIMSOLL_FUNCTION(Atan, atanf(x));
PLIMSOLL_FUNCTION(Atanh, atanhf(x));
PLIMSOLL_FUNCTION(Ceil, ceilf(x));
PLIMSOLL_FUNCTION(Cos, cosf(x));
PLIMSOLL_FUNCTION(Cosh, coshf(x));
PLIMSOLL_FUNCTION(Erf, erff(x));
PLIMSOLL_FUNCTION(Exp, expf(x));
PLIMSOLL_FUNCTION(Floor, floorf(x));
PLIMSOLL_FUNCTION(Log, logf(x));
PLIMSOLL_FUNCTION(Negate, -x);
PLIMSOLL_FUNCTION(Reciprocal, 1 / x);
PLIMSOLL_FUNCTION(RoundHalfEven, rintf(x));
PLIMSOLL_FUNCTION(Sign, x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x); // NaN stays NaN
PLIMSOLL_FUNCTION(Sin, sinf(x));
PLIMSOLL_FUNCTION(Sinh, sinhf(x));
PLIMSOLL_FUNCTION(Sqrt, sqrtf(x));
PLIMSOLL_FUNCTION(Tan, tanf(x));
PLIMSOLL_FUNCTION(Tanh, tanhf(x));

PLIMSOLL_FUNCTION(Relu, x < 0 ? 0 : x);
PLIMSOLL_FUNCTION(Sigmoid, sigmoidOf(x));
PLIMSOLL_FUNCTION(Softplus, softplusOf(x));
PLIMSOLL_FUNCTION(Softsign, x / (1 + fabsf(x)));
PLIMSOLL_FUNCTION(Mish, x* tanhf(softplusOf(x)));
PLIMSOLL_FUNCTION(HardSwish, x* clampTo(x / 6 + 0.5F, 0, 1));
PLIMSOLL_FUNCTION_WITH(LeakyRelu, "alpha", 0.01, x < 0 ? a * x : x);
PLIMSOLL_FUNCTION_WITH(Elu, "alpha", 1, x < 0 ? a * expm1f(x) : x);
PLIMSOLL_FUNCTION_WITH(Celu, "alpha", 1, x < 0 ? a * expm1f(x / a) : x);
PLIMSOLL_FUNCTION_WITH(ThresholdedRelu, "alpha", 1, x > a ? x : 0);
PLIMSOLL_FUNCTION_WITH(Swish, "alpha", 1, x* sigmoidOf(a* x));
PLIMSOLL_FUNCTION_WITH(QuickGelu, "alpha", 1.702, x* sigmoidOf(a* x));

#undef PLIMSOLL_FUNCTION
#undef PLIMSOLL_FUNCTION_WITH

struct Selu
{
    explicit Selu(const KernelCall& call)
        : alpha(static_cast<float>(floatAttribute(call, "alpha", 1.67326319217681884765625))),
          gamma(static_cast<float>(floatAttribute(call, "gamma", 1.05070102214813232421875)))
    {
    }
    PLIMSOLL_DEVICE float operator()(float x) const { return gamma * (x > 0 ? x : alpha * expm1f(x)); }
    float alpha;
    float gamma;
};

struct Shrink
{
    explicit Shrink(const KernelCall& call)
        : bias(static_cast<float>(floatAttribute(call, "bias", 0))),
          lambda(static_cast<float>(floatAttribute(call, "lambd", 0.5)))
    {
    }
    PLIMSOLL_DEVICE float operator()(float x) const { return x < -lambda ? x + bias : x > lambda ? x - bias : 0; }
    float bias;
    float lambda;
};

struct HardSigmoid
{
    explicit HardSigmoid(const KernelCall& call)
        : alpha(static_cast<float>(floatAttribute(call, "alpha", 0.2))),
          beta(static_cast<float>(floatAttribute(call, "beta", 0.5)))
    {
    }
    PLIMSOLL_DEVICE float operator()(float x) const { return clampTo(alpha * x + beta, 0, 1); }
    float alpha;
    float beta;
};

struct IsNan
{
    PLIMSOLL_DEVICE bool operator()(float x) const { return x != x; }
};

struct IsInf
{
    explicit IsInf(const KernelCall& call)
        : negative(intAttribute(call, "detect_negative", 1) != 0),
          positive(intAttribute(call, "detect_positive", 1) != 0)
    {
    }
    PLIMSOLL_DEVICE bool operator()(float x) const { return x - x != 0 && (x < 0 ? negative : x > 0 && positive); }
    bool negative;
    bool positive;
};

struct Not
{
    PLIMSOLL_DEVICE bool operator()(bool x) const { return !x; }
};

template <typename Function>
Status mapReal(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    visitReal(x.dtype, [&]<typename T>() { mapElements<T, T>(call.queue(), x, y, functionOf<Function>(call)); });
    return {};
}

/// cudnnActivationForward() allows its output over its input.
template <typename Function, cudnn::Code Mode>
Status activateByCudnn(DeviceCall& call)
{
    if (standsInForLibrary(call.queue())) return mapReal<Function>(call);
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    LibraryLayer layer = libraryActivation(x, Mode);
    layer.coefficient = floatAttribute(call, "alpha", 1); // of Elu; the others have none
    call.mayLieOver(0, 0);
    return computeByLibrary(call, layer, {.x = x.data, .y = y.data});
}

template <typename Function>
Status testReal(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Bool, x.shape));
    visitReal(x.dtype, [&]<typename T>() { mapElements<T, bool>(call.queue(), x, y, functionOf<Function>(call)); });
    return {};
}

Status gelu(DeviceCall& call)
{
    return textAttribute(call, "approximate", "none") == "tanh" ? mapReal<TanhGelu>(call) : mapReal<ErfGelu>(call);
}

Status logicalNot(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (x.dtype != DType::Bool) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Bool, x.shape));
    call.mayLieOver(0, 0);
    mapElements<bool, bool>(call.queue(), x, y, Not());
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Abs", "elementwise", mapReal<Abs>},
    {"", "Acos", "elementwise", mapReal<Acos>},
    {"", "Acosh", "elementwise", mapReal<Acosh>},
    {"", "Asin", "elementwise", mapReal<Asin>},
    {"", "Asinh", "elementwise", mapReal<Asinh>},
    {"", "Atan", "elementwise", mapReal<Atan>},
    {"", "Atanh", "elementwise", mapReal<Atanh>},
    {"", "Ceil", "elementwise", mapReal<Ceil>},
    {"", "Celu", "elementwise", mapReal<Celu>},
    {"", "Cos", "elementwise", mapReal<Cos>},
    {"", "Cosh", "elementwise", mapReal<Cosh>},
    {"", "Elu", "elementwise", mapReal<Elu>},
    {"", "Elu", "cudnn:activation", activateByCudnn<Elu, cudnn::Elu>},
    {"", "Erf", "elementwise", mapReal<Erf>},
    {"", "Exp", "elementwise", mapReal<Exp>},
    {"", "Floor", "elementwise", mapReal<Floor>},
    {"", "Gelu", "elementwise", gelu},
    {"", "HardSigmoid", "elementwise", mapReal<HardSigmoid>},
    {"", "HardSwish", "elementwise", mapReal<HardSwish>},
    {"", "IsInf", "elementwise", testReal<IsInf>},
    {"", "IsNaN", "elementwise", testReal<IsNan>},
    {"", "LeakyRelu", "elementwise", mapReal<LeakyRelu>},
    {"", "Log", "elementwise", mapReal<Log>},
    {"", "Mish", "elementwise", mapReal<Mish>},
    {"", "Neg", "elementwise", mapReal<Negate>},
    {"", "Not", "elementwise", logicalNot},
    {"", "Reciprocal", "elementwise", mapReal<Reciprocal>},
    {"", "Relu", "elementwise", mapReal<Relu>},
    {"", "Relu", "cudnn:activation", activateByCudnn<Relu, cudnn::Relu>},
    {"", "Round", "elementwise", mapReal<RoundHalfEven>},
    {"", "Selu", "elementwise", mapReal<Selu>},
    {"", "Shrink", "elementwise", mapReal<Shrink>},
    {"", "Sigmoid", "elementwise", mapReal<Sigmoid>},
    {"", "Sigmoid", "cudnn:activation", activateByCudnn<Sigmoid, cudnn::Sigmoid>},
    {"", "Sign", "elementwise", mapReal<Sign>},
    {"", "Sin", "elementwise", mapReal<Sin>},
    {"", "Sinh", "elementwise", mapReal<Sinh>},
    {"", "Softplus", "elementwise", mapReal<Softplus>},
    {"", "Softsign", "elementwise", mapReal<Softsign>},
    {"", "Sqrt", "elementwise", mapReal<Sqrt>},
    {"", "Swish", "elementwise", mapReal<Swish>},
    {"", "Tan", "elementwise", mapReal<Tan>},
    {"", "Tanh", "elementwise", mapReal<Tanh>},
    {"", "Tanh", "cudnn:activation", activateByCudnn<Tanh, cudnn::Tanh>},
    {"", "ThresholdedRelu", "elementwise", mapReal<ThresholdedRelu>},
    {"com.microsoft", "Gelu", "elementwise", mapReal<ErfGelu>},
    {"com.microsoft", "QuickGelu", "elementwise", mapReal<QuickGelu>},
};

} // namespace

DeviceTable unaryKernels()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
