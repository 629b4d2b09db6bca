#pragma once

#include "kernels/cuda/device_call.h"
#include "kernels/cuda/number.h"
#include "kernels/cuda/walk.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// A block of elements inside a dense tensor.
struct Region
{
    TensorView tensor;
    std::int64_t offset = 0; ///< Elements; of the first one.
    Shape strides;           ///< Elements.
};

template <typename T>
struct RegionBody
{
    const T* x;
    T* y;
    Walk<2> walk;

    PLIMSOLL_DEVICE T read(std::int64_t i) const { return x[walk.at(i)[0]]; }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[walk.at(i)[1]] = value; }
};

/// Copies a block of \p shape. Both tensors have the same element type and do not overlap.
inline Status copyRegion(DeviceCall& call, const Region& from, const Region& to, const Shape& shape)
{
    if (!isMovable(from.tensor.dtype)) return declineType(call, from.tensor.dtype);
    const auto walk = walkOver<2>(shape, {from.strides, to.strides});
    if (!walk) return decline(call, "it has too many dimensions");
    visitWidth(from.tensor.dtype, [&]<typename T>() {
        const T* x = from.tensor.as<const T>();
        T* y = to.tensor.as<T>();
        forEach(call.queue(), walk->count, RegionBody<T> {x ? x + from.offset : x, y ? y + to.offset : y, *walk});
    });
    return {};
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
