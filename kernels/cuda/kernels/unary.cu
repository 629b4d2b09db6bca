#include "core/ops/mxnet/mxnet_attributes.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/arithmetic.h"
#include "kernels/cuda/launch/map.h"
#include "kernels/cuda/libraries/cudnn_api.h"
#include "kernels/cuda/libraries/library_layers.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

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

/// Of operators of MXNet whose second operand is the attribute scalar.
enum class ScalarSide : std::uint8_t { Left, Right };

/// What is true is 1 of the same type.
template <typename T, typename Function, ScalarSide Side>
struct WithScalar
{
    T scalar;

    PLIMSOLL_DEVICE Computed<T> operator()(Computed<T> x) const
    {
        const Computed<T> number = load(scalar);
        return static_cast<Computed<T>>(Side == ScalarSide::Left ? Function()(number, x) : Function()(x, number));
    }
};

/// The scalar is rounded to the type of the tensor first, as the reference does.
template <typename Function, ScalarSide Side, typename... Types>
Status withScalarAmong(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isAmong<Types...>(x.dtype)) return declineType(call, x.dtype);
    const HostTensor scalar = scalarTensor(x.dtype, mxnet::realOf(call.node().attributes, "scalar", 0));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    visitAmong<Types...>(x.dtype, [&]<typename T>() {
        mapElements<T, T>(call.queue(), x, y, WithScalar<T, Function, Side> {*scalar.view().as<const T>()});
    });
    return {};
}

template <typename Function, ScalarSide Side = ScalarSide::Right>
Status withNumber(DeviceCall& call)
{
    return withScalarAmong<Function, Side, float, Half, BFloat16, std::int64_t, std::int32_t, std::int8_t,
                           std::uint8_t>(call);
}

template <typename Function, ScalarSide Side = ScalarSide::Right>
Status withReal(DeviceCall& call)
{
    return withScalarAmong<Function, Side, float, Half, BFloat16>(call);
}

constexpr auto Left = ScalarSide::Left;
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
    {"", "IsNaN", "elementwise", testReal<IsNaN>},
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
    {"mxnet", "_div_scalar", "elementwise", withNumber<Divide>},
    {"mxnet", "_equal_scalar", "elementwise", withNumber<Equal>},
    {"mxnet", "_greater_equal_scalar", "elementwise", withNumber<GreaterOrEqual>},
    {"mxnet", "_greater_scalar", "elementwise", withNumber<Greater>},
    {"mxnet", "_lesser_equal_scalar", "elementwise", withNumber<LessOrEqual>},
    {"mxnet", "_lesser_scalar", "elementwise", withNumber<Less>},
    {"mxnet", "_maximum_scalar", "elementwise", withNumber<Larger>},
    {"mxnet", "_minimum_scalar", "elementwise", withNumber<Smaller>},
    {"mxnet", "_minus_scalar", "elementwise", withNumber<Minus>},
    {"mxnet", "_mul_scalar", "elementwise", withNumber<Times>},
    {"mxnet", "_plus_scalar", "elementwise", withNumber<Plus>},
    {"mxnet", "_power_scalar", "elementwise", withReal<Power>},
    {"mxnet", "_rdiv_scalar", "elementwise", withNumber<Divide, Left>},
    {"mxnet", "_rminus_scalar", "elementwise", withNumber<Minus, Left>},
    {"mxnet", "_rpower_scalar", "elementwise", withReal<Power, Left>},
};

} // namespace

constinit const DeviceTable unaryKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
