#pragma once

#include "kernels/device.h"

#include <string>
#include <vector>

namespace plimsoll::kernels {

/// Of the square matrices that are multiplied on a device.
inline constexpr std::int64_t ProductSide = 4096;

/// How long one kernel takes on a device, beside what it cannot go below.
struct Timing
{
    std::string name; ///< "Add float32[16777216] float32[16777216]"
    std::string kernel;
    double ms = 0;         ///< Of one run, the mean of many behind one another.
    double bytes = 0;      ///< Of its tensors, each once.
    double operations = 0; ///< Of a product or a convolution: multiplications and additions.
    bool isProduct = false;
};

/// Elementwise kernels, copies, reductions, products and convolutions on tensors that fill a large device. \p scale
/// divides their first dimension: 1 for a device, more where the host stands in for one.
[[nodiscard]] Result<std::vector<Timing>> timeKernels(Device& device, std::int64_t scale);

} // namespace plimsoll::kernels
