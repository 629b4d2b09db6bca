#pragma once

#include <vector>

namespace plimsoll::test {

/// One operator in float64; inputs a, b, c take numbers from the range, apart from its kinks.
struct GradientCase
{
    const char* name;
    const char* graph;
    const char* wanted; ///< Inputs whose gradients are checked.
    double low = -1.5;
    double high = 1.5;
    bool onDevices = true; ///< Kernels of devices compute it, too.
};

[[nodiscard]] const std::vector<GradientCase>& gradientCases();

} // namespace plimsoll::test
