#pragma once

#include "kernels/cuda/launch.h"

#include <cmath>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

struct ErfGelu
{
    PLIMSOLL_DEVICE float operator()(float x) const { return 0.5F * x * (1 + erff(x * 0.70710678F)); }
};

struct TanhGelu
{
    PLIMSOLL_DEVICE float operator()(float x) const
    {
        return 0.5F * x * (1 + tanhf(0.79788456F * (x + 0.044715F * x * x * x)));
    }
};

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
