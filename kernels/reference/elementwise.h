#pragma once

#include "kernels/common/broadcast.h"
#include "kernels/common/numbers.h"

#include <type_traits>

namespace plimsoll::kernels {

/// An element-wise function, made from the node's attributes where it has any.
template <typename Function>
[[nodiscard]] Function makeFunction(const KernelCall& call)
{
    if constexpr (std::is_constructible_v<Function, const KernelCall&>) {
        return Function(call);
    } else {
        return Function();
    }
}

/// y[i] = f(x[i]); x and y may be the same bytes.
template <typename T, typename Function>
void mapElements(const TensorView& x, const TensorView& y, const Function& function)
{
    const Reader<T> in(x);
    Writer<T> out(y);
    for (std::int64_t i = 0, n = x.elements(); i < n; ++i)
        out[i] = static_cast<T>(function(in[i]));
}

/// T → T for the types that \p visit visits.
template <typename Function, typename Visit>
Status unaryOver(KernelCall& call, const Visit& visit)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!visit(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    const auto function = makeFunction<Function>(call);
    visit(x.dtype, [&]<typename T>() { mapElements<T>(x, y, function); });
    return {};
}

template <typename Function>
Status unaryFloating(KernelCall& call)
{
    return unaryOver<Function>(call, [](DType dtype, const auto& visitor) { return visitFloating(dtype, visitor); });
}

template <typename Function>
Status unaryNumeric(KernelCall& call)
{
    return unaryOver<Function>(call, [](DType dtype, const auto& visitor) { return visitNumeric(dtype, visitor); });
}

template <typename Function>
Status unaryInteger(KernelCall& call)
{
    return unaryOver<Function>(call, [](DType dtype, const auto& visitor) { return visitInteger(dtype, visitor); });
}

/// From any floating-point type to bool.
template <typename Function>
Status unaryTest(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Bool, x.shape));
    const auto function = makeFunction<Function>(call);
    visitFloating(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        for (std::int64_t i = 0, n = x.elements(); i < n; ++i)
            y.as<std::uint8_t>()[i] = function(in[i]) ? 1 : 0;
    });
    return {};
}

/// out[i] = f(a[i], b[i]) over a broadcast pair. \p out may be the bytes of an operand that has its shape.
template <typename A, typename B, typename Out, typename Function>
void mapPairs(const BroadcastPair& pair, const A* a, const B* b, Out* out, const Function& function)
{
    for (RowWalk walk(pair.shape, {pair.stridesA, pair.stridesB, rowMajorStrides(pair.shape)}); walk.valid();
         walk.advance()) {
        const A* rowA = a + walk.offset(0);
        const B* rowB = b + walk.offset(1);
        Out* row = out + walk.offset(2);
        for (std::int64_t i = 0; i < walk.count(); ++i) {
            row[i] = static_cast<Out>(function(rowA[i * walk.step(0)], rowB[i * walk.step(1)]));
        }
    }
}

/// T × T → T for the types that \p Visit visits.
template <typename Function, typename Visit>
Status binaryOver(KernelCall& call, const Visit& visit)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& a = call.input(0).tensor;
    const TensorView& b = call.input(1).tensor;
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, a, b));
    if (!visit(a.dtype, []<typename T>() {})) return refuseType(call, a.dtype);
    PLIMSOLL_ASSIGN(out, call.output(0, a.dtype, pair.shape));
    visit(a.dtype, [&]<typename T>() {
        const Reader<T> readerA(a);
        const Reader<T> readerB(b);
        Writer<T> writer(out);
        mapPairs(pair, readerA.data(), readerB.data(), writer.data(), Function());
    });
    return {};
}

template <typename Function>
Status binaryNumeric(KernelCall& call)
{
    return binaryOver<Function>(call, [](DType dtype, const auto& visitor) { return visitNumeric(dtype, visitor); });
}

template <typename Function>
Status binaryInteger(KernelCall& call)
{
    return binaryOver<Function>(call, [](DType dtype, const auto& visitor) { return visitInteger(dtype, visitor); });
}

} // namespace plimsoll::kernels
