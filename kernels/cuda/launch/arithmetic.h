#pragma once

#include "kernels/common/functions.h"
#include "kernels/cuda/launch/number.h"

/// Functions of elements, the common ones and what a device computes less exactly than the host.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

using namespace functions;

struct Power
{
    template <typename Exponent>
    PLIMSOLL_DEVICE float operator()(float a, Exponent b) const
    {
        return powf(a, static_cast<float>(b));
    }
};

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
