#pragma once

#include "kernels/common/strides.h"
#include "kernels/cuda/launch/divisor.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Elements above or below a diagonal of each matrix; zero elsewhere.
template <typename T>
struct TriangleBody
{
    const T* x;
    T* y;
    Divisor rows;
    Divisor columns;
    std::int64_t diagonal;
    bool upper;

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        const std::int64_t above = i % columns - i / columns % rows;
        return (upper ? above >= diagonal : above <= diagonal) ? x[i] : T {};
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

template <typename T>
void keepTriangle(Queue& queue, const Shape& shape, const T* x, T* y, std::int64_t diagonal, bool upper)
{
    const std::int64_t count = productOf(shape);
    const std::size_t rank = shape.size();
    forEach(queue, count,
            TriangleBody<T> {x, y, Divisor(shape[rank - 2], count), Divisor(shape[rank - 1], count), diagonal, upper});
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
