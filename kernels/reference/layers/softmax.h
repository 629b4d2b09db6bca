#pragma once

#include <vector>

namespace plimsoll::kernels {

/// exp(x) / Σ exp(x), from the largest number down so that nothing overflows. The slice is not empty.
void softmaxInPlace(std::vector<double>& slice);

/// The logarithm of the same.
void logSoftmaxInPlace(std::vector<double>& slice);

} // namespace plimsoll::kernels
