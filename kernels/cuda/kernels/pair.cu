#include "kernels/common/broadcast.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/arithmetic.h"
#include "kernels/cuda/launch/cuda_walk.h"
#include "kernels/cuda/launch/map.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

template <typename A, typename B>
struct Pair
{
    A a;
    B b;
};

/// out[i] = f(a[…], b[…]) over a broadcast. \c out may be the bytes of an operand that has its shape.
template <typename A, typename B, typename Out, typename Places, typename Function>
struct PairBody
{
    using Numbers = Pair<Computed<A>, Computed<B>>;
    static constexpr int Loads = loadsOfWidth(sizeof(A));
    const A* a;
    const B* b;
    Out* out;
    Places places;
    Function function;

    PLIMSOLL_DEVICE Numbers read(std::int64_t i) const
    {
        const Offsets<2> at = places.at(i);
        return {load(a[at[0]]), load(b[at[1]])};
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, const Numbers& pair) const
    {
        out[i] = rounded<Out>(function(pair.a, pair.b));
    }
};

/// \p out = f(a, b), each broadcast to its shape.
template <typename T, typename Out, typename Function, typename B = T>
Status combine(DeviceCall& call, const TensorView& a, const TensorView& b, const TensorView& out,
               const BroadcastPair& pair, const Function& function)
{
    const auto walk = walkOver<2>(pair.shape, {pair.stridesA, pair.stridesB});
    if (!walk) return decline(call, say("cuda.operand-repeats"));
    const auto launch = [&]<typename Places>(const Places& places) {
        forEach(
            call.queue(), walk->count,
            PairBody<T, B, Out, Places, Function> {a.as<const T>(), b.as<const B>(), out.as<Out>(), places, function});
    };
    if constexpr (isReal<T>) { // integers seldom repeat: nothing more is compiled for them
        if (const auto repeat = repeatOf(*walk)) {
            launch(*repeat);
            return {};
        }
    }
    launch(*walk);
    return {};
}

/// The output may lie over those of its first two operands that have its shape and type.
void notePlaces(DeviceCall& call, const TensorView& out)
{
    for (const int i : {0, 1}) {
        const TensorView& operand = call.input(static_cast<std::size_t>(i)).tensor;
        if (operand.shape == out.shape && operand.dtype == out.dtype) call.mayLieOver(0, i);
    }
}

template <typename Function, typename... Types>
Status combineAmong(DeviceCall& call, const Function& function)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView a = call.input(0).tensor;
    const TensorView b = call.input(1).tensor;
    if (!isAmong<Types...>(a.dtype)) return declineType(call, a.dtype);
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, a, b));
    PLIMSOLL_ASSIGN(out, call.output(0, a.dtype, pair.shape));
    notePlaces(call, out);
    Status status;
    visitAmong<Types...>(a.dtype, [&]<typename T>() { status = combine<T, T>(call, a, b, out, pair, function); });
    return status;
}

template <typename Function>
Status combineNumbers(DeviceCall& call)
{
    return combineAmong<Function, float, Half, BFloat16, std::int64_t, std::int32_t, std::int8_t, std::uint8_t>(
        call, Function());
}

template <typename Function>
Status combineLogic(DeviceCall& call)
{
    return combineAmong<Function, bool>(call, Function());
}

template <typename Function>
Status compareNumbers(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView a = call.input(0).tensor;
    const TensorView b = call.input(1).tensor;
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, a, b));
    PLIMSOLL_ASSIGN(out, call.output(0, DType::Bool, pair.shape));
    Status status = declineType(call, a.dtype);
    visitAmong<float, Half, BFloat16, std::int64_t, std::int32_t, std::int8_t, std::uint8_t, bool>(
        a.dtype, [&]<typename T>() { status = combine<T, bool>(call, a, b, out, pair, Function()); });
    return status;
}

/// The gelu of a sum with a bias, which may be absent and may broadcast to the first.
template <typename Gelu>
struct OfSum
{
    PLIMSOLL_DEVICE float operator()(float x, float bias) const { return Gelu()(x + bias); }
};

template <typename Gelu>
Status biasGelu(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const TensorView* bias = optionalInput(call, 1);
    if (!isComputedReal(x.dtype) || (bias && bias->dtype != x.dtype)) return declineType(call, x.dtype);
    if (bias && broadcastShape(bias->shape, x.shape) != x.shape) return decline(call, say("cuda.bias-misfit"));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    Status status;
    visitReal(x.dtype, [&]<typename T>() {
        if (!bias) return mapElements<T, T>(call.queue(), x, y, Gelu());
        const BroadcastPair pair {x.shape, rowMajorStrides(x.shape), broadcastStrides(bias->shape, x.shape)};
        status = combine<T, T>(call, x, *bias, y, pair, OfSum<Gelu>());
    });
    return status;
}

Status mod(DeviceCall& call)
{
    return intAttribute(call, "fmod", 0) != 0
               ? combineAmong<TruncatedMod, float, std::int64_t, std::int32_t>(call, TruncatedMod())
               : combineAmong<FloorMod, std::int64_t, std::int32_t>(call, FloorMod());
}

/// The exponent may be of another type; the outcome has the base's.
Status power(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(a, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(b, inputTensor(call, 1));
    const bool known = isComputedReal(a.dtype) && (b.dtype == a.dtype || isAmong<std::int64_t, std::int32_t>(b.dtype));
    if (!known) return declineType(call, isComputedReal(a.dtype) ? b.dtype : a.dtype);
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, a, b));
    PLIMSOLL_ASSIGN(out, call.output(0, a.dtype, pair.shape));
    notePlaces(call, out);
    Status status;
    visitReal(a.dtype, [&]<typename T>() {
        visitAmong<T, std::int64_t, std::int32_t>(
            b.dtype, [&]<typename E>() { status = combine<T, T, Power, E>(call, a, b, out, pair, Power()); });
    });
    return status;
}

/// Before opset 7 a slope of one dimension belongs to the channels.
Status prelu(DeviceCall& call)
{
    if (call.opset() > 0 && call.opset() < 7) return decline(call, say("cuda.channel-slopes"));
    return combineAmong<LeakyBy, float, Half, BFloat16>(call, LeakyBy());
}

/// The first two inputs, then each further one onto what is there. A further one is still read when the output has
/// been begun, so that only the first two may lie below it.
template <typename Function>
Result<TensorView> foldAll(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, call.inputCount()));
    PLIMSOLL_ASSIGN(shape, broadcastAllInputs(call));
    TensorView sofar = call.input(0).tensor;
    if (sofar.dtype != DType::Float32) return declineType(call, sofar.dtype);
    PLIMSOLL_ASSIGN(out, call.output(0, sofar.dtype, shape));
    if (call.inputCount() == 1) copyElements(call.queue(), sofar, out);
    notePlaces(call, out);
    for (std::size_t i = 1; i < call.inputCount(); ++i) {
        const TensorView& next = call.input(i).tensor;
        const BroadcastPair pair {shape, broadcastStrides(sofar.shape, shape), broadcastStrides(next.shape, shape)};
        PLIMSOLL_TRY((combine<float, float>(call, sofar, next, out, pair, Function())));
        sofar = out;
    }
    return out;
}

template <typename Function>
Status fold(DeviceCall& call)
{
    if (call.inputCount() == 2) return combineNumbers<Function>(call);
    PLIMSOLL_TRY(foldAll<Function>(call));
    return {};
}

struct DivideBy
{
    float count;
    PLIMSOLL_DEVICE float operator()(float x) const { return x / count; }
};

Status mean(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(out, foldAll<Plus>(call));
    mapElements<float, float>(call.queue(), out, out, DivideBy {static_cast<float>(call.inputCount())});
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Add", "elementwise", combineNumbers<Plus>},
    {"", "And", "elementwise", combineLogic<And>},
    {"", "Div", "elementwise", combineNumbers<Divide>},
    {"", "Equal", "elementwise", compareNumbers<Equal>},
    {"", "Greater", "elementwise", compareNumbers<Greater>},
    {"", "GreaterOrEqual", "elementwise", compareNumbers<GreaterOrEqual>},
    {"", "Less", "elementwise", compareNumbers<Less>},
    {"", "LessOrEqual", "elementwise", compareNumbers<LessOrEqual>},
    {"", "Max", "elementwise", fold<Larger>},
    {"", "Mean", "elementwise", mean},
    {"", "Min", "elementwise", fold<Smaller>},
    {"", "Mod", "elementwise", mod},
    {"", "Mul", "elementwise", combineNumbers<Times>},
    {"", "Or", "elementwise", combineLogic<Or>},
    {"", "PRelu", "elementwise", prelu},
    {"", "Pow", "elementwise", power},
    {"", "Sub", "elementwise", combineNumbers<Minus>},
    {"", "Sum", "elementwise", fold<Plus>},
    {"", "Xor", "elementwise", combineLogic<Xor>},
    {"com.microsoft", "BiasGelu", "elementwise", biasGelu<ErfGelu>},
    {"com.microsoft", "FastGelu", "elementwise", biasGelu<TanhGelu>},
};

} // namespace

constinit const DeviceTable pairKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
