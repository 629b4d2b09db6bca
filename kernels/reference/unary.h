#pragma once

#include "kernels/reference/call_tools.h"
#include "kernels/reference/numbers.h"

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

template <typename Function>
Status unaryFloating(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    const auto function = makeFunction<Function>(call);
    visitFloating(x.dtype, [&]<typename T>() { mapElements<T>(x, y, function); });
    return {};
}

template <typename Function>
Status unaryNumeric(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype) && !isInteger(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    const auto function = makeFunction<Function>(call);
    visitNumeric(x.dtype, [&]<typename T>() { mapElements<T>(x, y, function); });
    return {};
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

} // namespace plimsoll::kernels
