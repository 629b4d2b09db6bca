#pragma once

#include "kernels/reference/layers/resize_taps.h"

namespace plimsoll::kernels {

/// What Resize and Upsample are asked for: for each axis a scale and a size, which need not agree to the last bit.
struct ResizeTarget
{
    std::vector<std::size_t> axes; ///< Those that scales, sizes and the region of interest are given for.
    std::vector<double> scales;
    Shape sizes;

    /// Nothing happens to an axis that keeps its size.
    [[nodiscard]] bool changes(std::size_t axis, const Shape& from) const
    {
        return sizes[axis] != from[axis] || scales[axis] != 1;
    }
};
[[nodiscard]] Result<ResizeTarget> resizeTarget(const KernelCall& call, const TensorView& x);
[[nodiscard]] ResizeRules resizeRules(const KernelCall& call);
/// The gradient of \p x, whose numbers are not read, from that of the output; \p call is of the forward node.
[[nodiscard]] Result<std::vector<double>> resizeBack(const KernelCall& call, const TensorView& x,
                                                     std::vector<double> g);
/// The region of interest, where the opset has one.
[[nodiscard]] const TensorView* resizeRegion(const KernelCall& call);

} // namespace plimsoll::kernels
