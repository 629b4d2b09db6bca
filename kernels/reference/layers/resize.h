#pragma once

#include "kernels/kernel.h"

namespace plimsoll::kernels {

/// The gradient of \p x, whose numbers are not read, from that of the output; \p call is of the forward node.
[[nodiscard]] Result<std::vector<double>> resizeBack(const KernelCall& call, const TensorView& x,
                                                     std::vector<double> g);
/// Weights of the four neighbours of a place \p fraction behind the second of them (Keys 1981).
[[nodiscard]] std::vector<double> cubicWeights(double fraction, double a);

} // namespace plimsoll::kernels
