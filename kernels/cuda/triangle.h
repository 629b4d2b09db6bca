#pragma once

#include "kernels/cuda/launch.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Elements above or below a diagonal of each matrix; zero elsewhere.
template <typename T>
struct TriangleBody
{
    const T* x;
    T* y;
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t diagonal;
    bool upper;

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        const std::int64_t above = i % columns - i / columns % rows;
        return (upper ? above >= diagonal : above <= diagonal) ? x[i] : T {};
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
