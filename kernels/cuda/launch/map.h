#pragma once

#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/launch/number.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// y[i] = f(x[i]); x and y may be the same bytes.
template <typename T, typename Out, typename Function>
struct MapBody
{
    static constexpr int Loads = loadsOfWidth(sizeof(T));
    const T* x;
    Out* y;
    Function function;

    PLIMSOLL_DEVICE Computed<T> read(std::int64_t i) const { return load(x[i]); }
    PLIMSOLL_DEVICE void write(std::int64_t i, Computed<T> value) const { y[i] = rounded<Out>(function(value)); }
};

/// An element-wise function, made from the node's attributes where it has any.
template <typename Function>
Function functionOf(const KernelCall& call)
{
    if constexpr (std::is_constructible_v<Function, const KernelCall&>) {
        return Function(call);
    } else {
        return Function();
    }
}

template <typename T, typename Out, typename Function>
void mapElements(Queue& queue, const TensorView& x, const TensorView& y, const Function& function)
{
    forEach(queue, x.elements(), MapBody<T, Out, Function> {x.as<const T>(), y.as<Out>(), function});
}

template <typename T>
struct CopyBody
{
    static constexpr int Loads = loadsOfWidth(sizeof(T));
    const T* x;
    T* y;
    PLIMSOLL_DEVICE T read(std::int64_t i) const { return x[i]; }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

/// Nothing where both are the same bytes.
inline void copyElements(Queue& queue, const TensorView& x, const TensorView& y)
{
    if (x.data == y.data && !queue.rehearsal) return;
    visitWidth(x.dtype, [&]<typename T>() { forEach(queue, x.elements(), CopyBody<T> {x.as<const T>(), y.as<T>()}); });
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
