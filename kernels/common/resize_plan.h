#pragma once

#include "kernels/common/anywhere.h"
#include "kernels/kernel.h"

#include <cmath>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// Which place of the old axis is the nearest, where two are alike or not: Resize's attribute nearest_mode.
enum class NearestRule : std::uint8_t { Floor, Ceil, PreferCeil, PreferFloor };
PLIMSOLL_ANYWHERE inline double nearestPlace(double origin, NearestRule rule)
{
    switch (rule) {
    case NearestRule::Floor:
        return floor(origin);
    case NearestRule::Ceil:
        return ceil(origin);
    case NearestRule::PreferCeil:
        return floor(origin + 0.5);
    default:
        return ceil(origin - 0.5);
    }
}

/// Of a neighbour at this distance (Keys 1981).
PLIMSOLL_ANYWHERE inline double cubicWeight(double distance, double a)
{
    const double x = fabs(distance);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// How Resize finds and weighs its sources: the operator's attributes.
struct ResizeRules
{
    std::string mode;        ///< nearest, linear, cubic
    std::string coordinates; ///< half_pixel, asymmetric, …
    NearestRule nearest = NearestRule::PreferFloor;
    double cubicA = -0.75;
    bool excludeOutside = false;
    bool antialias = false;
};

/// One axis that is resized.
struct ResizeAxis
{
    std::int64_t from = 0;
    std::int64_t to = 0;
    double scale = 1;
    double roiBegin = 0; ///< Of the axis's length; tf_crop_and_resize.
    double roiEnd = 1;
};

/// The place on the old axis that a place of the new one stands for: (place + shift) · times / by + offset + more. Who
/// computes it in this order gets the same bits.
struct ResizeOrigin
{
    double shift = 0;
    double times = 1;
    double by = 1;
    double offset = 0;
    double more = 0;
};
[[nodiscard]] ResizeOrigin resizeOrigin(const ResizeAxis& axis, const std::string& coordinates);

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
/// The region of interest, where the opset has one.
[[nodiscard]] const TensorView* resizeRegion(const KernelCall& call);

} // namespace plimsoll::kernels
