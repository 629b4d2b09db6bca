#pragma once

#include "kernels/common/numbers.h"
#include "kernels/cuda/launch/number.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

template <typename T>
struct FillBody
{
    static constexpr int Loads = loadsOfWidth(sizeof(T));
    T* y;
    T value;
    PLIMSOLL_DEVICE T read(std::int64_t /*i*/) const { return value; }
    PLIMSOLL_DEVICE void write(std::int64_t i, T bits) const { y[i] = bits; }
};

/// Every element gets the bits of the first of \p from, which lies on the host; a rehearsal does not look.
inline void fillElements(Queue& queue, const TensorView& y, const void* from)
{
    visitWidth(y.dtype, [&]<typename T>() {
        T bits {};
        if (from) std::memcpy(&bits, from, sizeof bits);
        forEach(queue, y.elements(), FillBody<T> {y.as<T>(), bits});
    });
}

inline void fillElements(Queue& queue, const TensorView& y, double number)
{
    std::uint64_t room = 0; // of the widest type
    storeNumbers(&number, {y.dtype, {}, &room});
    fillElements(queue, y, &room);
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
