#pragma once

#include "kernels/reference/call_tools.h"

#include <utility>

namespace plimsoll::kernels {

/// How Resize finds and weighs its sources: the operator's attributes.
struct ResizeRules
{
    std::string mode;        ///< nearest, linear, cubic
    std::string coordinates; ///< half_pixel, asymmetric, …
    std::string nearest;     ///< round_prefer_floor, …
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

/// Which places of the old axis a place of the new one is made of.
struct ResizeTaps
{
    std::vector<std::pair<std::int64_t, double>> weights;
    bool outside = false; ///< Before the first or behind the last place.
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

[[nodiscard]] std::vector<ResizeTaps> resizeTaps(const ResizeAxis& axis, const ResizeRules& rules);

/// Weights of the four neighbours of a place \p fraction behind the second of them (Keys 1981).
[[nodiscard]] std::vector<double> cubicWeights(double fraction, double a);

} // namespace plimsoll::kernels
