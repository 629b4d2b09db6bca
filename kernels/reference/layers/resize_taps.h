#pragma once

#include "kernels/common/resize_plan.h"

#include <utility>

namespace plimsoll::kernels {

/// Which places of the old axis a place of the new one is made of.
struct ResizeTaps
{
    std::vector<std::pair<std::int64_t, double>> weights;
    bool outside = false; ///< Before the first or behind the last place.
};
[[nodiscard]] std::vector<ResizeTaps> resizeTaps(const ResizeAxis& axis, const ResizeRules& rules);

/// Weights of the four neighbours of a place \p fraction behind the second of them (Keys 1981).
[[nodiscard]] std::vector<double> cubicWeights(double fraction, double a);

} // namespace plimsoll::kernels
