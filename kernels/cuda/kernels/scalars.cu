#include "core/ops/mxnet/mxnet_attributes.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/arithmetic.h"
#include "kernels/cuda/launch/map.h"

/// Operators of MXNet whose second operand is the attribute scalar.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

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

constinit const DeviceTable scalarKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
