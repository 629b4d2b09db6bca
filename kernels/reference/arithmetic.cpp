#include "kernels/common/functions.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll::kernels {
namespace {

using namespace functions;

Status mod(KernelCall& call)
{
    return intAttribute(call, "fmod", 0) != 0 ? binaryNumeric<TruncatedMod>(call) : binaryNumeric<FloorMod>(call);
}

template <typename T>
T integerPower(T base, std::uint64_t exponent)
{
    std::uint64_t power = 1;
    std::uint64_t square = wide(base);
    for (; exponent > 0; exponent >>= 1U) {
        if ((exponent & 1U) != 0) power *= square;
        square *= square;
    }
    return static_cast<T>(power);
}

template <typename T, typename E>
T powerOf(T base, E exponent)
{
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    } else if constexpr (std::is_integral_v<E>) {
        if (exponent >= E {0}) return integerPower(base, static_cast<std::uint64_t>(exponent));
        const bool minusOne = std::is_signed_v<T> && wide(base) == ~std::uint64_t {0};
        if (minusOne) return exponent % 2 == 0 ? T {1} : base;
        if (base == T {0}) return std::numeric_limits<T>::max();
        return base == T {1} ? base : T {0};
    } else {
        return static_cast<T>(truncated(std::pow(static_cast<double>(base), static_cast<double>(exponent))));
    }
}

/// Base and exponent may have different types; the outcome has the base's.
Status power(KernelCall& call)
{
    PLIMSOLL_ASSIGN(base, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(exponent, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, base, exponent));
    if (!visitNumeric(base.dtype, []<typename T>() {})) return refuseType(call, base.dtype);
    if (!visitNumeric(exponent.dtype, []<typename T>() {})) return refuseType(call, exponent.dtype);
    PLIMSOLL_ASSIGN(out, call.output(0, base.dtype, pair.shape));
    const auto compute = [&]<typename T, typename E>() {
        const Reader<T> a(base);
        const Reader<E> b(exponent);
        Writer<T> writer(out);
        mapPairs(pair, a.data(), b.data(), writer.data(), [](T x, E y) { return powerOf(x, y); });
    };
    visitNumeric(base.dtype, [&]<typename T>() {
        if (isInteger(exponent.dtype)) {
            compute.template operator()<T, std::int64_t>();
        } else {
            compute.template operator()<T, double>();
        }
    });
    return {};
}

template <bool Left>
struct ShiftBy
{
    template <typename T>
    T operator()(T x, T by) const
    {
        if (by < T {0} || wide(by) >= sizeof(T) * 8) return T {0};
        return static_cast<T>(Left ? wide(x) << wide(by) : wide(x) >> wide(by));
    }
};

Status bitShift(KernelCall& call)
{
    const std::string direction = textAttribute(call, "direction", "");
    if (direction == "LEFT") return binaryInteger<ShiftBy<true>>(call);
    if (direction == "RIGHT") return binaryInteger<ShiftBy<false>>(call);
    return refuse(call, say("kernel.direction", direction));
}

/// Before opset 7 a slope of one dimension belongs to the channels, without any attribute saying so.
Status prelu(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& x = call.input(0).tensor;
    const TensorView& slope = call.input(1).tensor;
    if (call.opset() >= 7 || slope.shape.size() != 1 || slope.elements() == 1 || x.shape.size() < 2) {
        return binaryNumeric<LeakyBy>(call);
    }
    if (slope.shape[0] != x.shape[1]) {
        return refuse(call, say("kernel.channel-slopes", describe(slope), describe(x)));
    }
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    Shape placed(x.shape.size(), 1);
    placed[1] = slope.shape[0];
    const BroadcastPair pair {x.shape, rowMajorStrides(x.shape), broadcastStrides(placed, x.shape)};
    visitFloating(x.dtype, [&]<typename T>() {
        const Reader<T> a(x);
        const Reader<T> b(slope);
        Writer<T> writer(y);
        mapPairs(pair, a.data(), b.data(), writer.data(), LeakyBy());
    });
    return {};
}

/// Folds any number of inputs element by element, so that the output may lie over any of them.
template <typename T, typename Function>
void foldInputs(const KernelCall& call, const TensorView& out, bool average)
{
    const std::size_t count = call.inputCount();
    std::vector<std::unique_ptr<Reader<T>>> readers;
    std::vector<Shape> strides;
    for (std::size_t k = 0; k < count; ++k) {
        readers.push_back(std::make_unique<Reader<T>>(call.input(k).tensor));
        strides.push_back(broadcastStrides(call.input(k).tensor.shape, out.shape));
    }
    strides.push_back(rowMajorStrides(out.shape));
    Writer<T> writer(out);
    for (RowWalk walk(out.shape, strides); walk.valid(); walk.advance()) {
        for (std::int64_t i = 0; i < walk.count(); ++i) {
            T folded = (*readers[0])[walk.offset(0) + i * walk.step(0)];
            for (std::size_t k = 1; k < count; ++k) {
                folded = Function()(folded, (*readers[k])[walk.offset(k) + i * walk.step(k)]);
            }
            writer[walk.offset(count) + i] = average ? static_cast<T>(folded / static_cast<T>(count)) : folded;
        }
    }
}

template <typename Function, bool Average = false>
Status variadic(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, call.inputCount()));
    PLIMSOLL_ASSIGN(shape, broadcastAllInputs(call));
    const DType dtype = call.input(0).tensor.dtype;
    if (!visitNumeric(dtype, []<typename T>() {})) return refuseType(call, dtype);
    PLIMSOLL_ASSIGN(out, call.output(0, dtype, shape));
    visitNumeric(dtype, [&]<typename T>() { foldInputs<T, Function>(call, out, Average); });
    return {};
}

constexpr KernelEntry ArithmeticKernels[] = {
    {"", "Add", binaryNumeric<Plus>},
    {"", "BitShift", bitShift},
    {"", "Div", binaryNumeric<Divide>},
    {"", "Max", variadic<Larger>},
    {"", "Mean", variadic<Plus, true>},
    {"", "Min", variadic<Smaller>},
    {"", "Mod", mod},
    {"", "Mul", binaryNumeric<Times>},
    {"", "PRelu", prelu},
    {"", "Pow", power},
    {"", "Sub", binaryNumeric<Minus>},
    {"", "Sum", variadic<Plus>},
};

} // namespace

constinit const KernelTable arithmeticKernels = ArithmeticKernels;

} // namespace plimsoll::kernels
