#pragma once

#include "core/graph/tensor_type.h"

namespace plimsoll::kernels {

/// The ends of an integer type of at most 32 bits, both included.
struct IntegerRange
{
    double lowest = 0;
    double highest = 0;
};
[[nodiscard]] IntegerRange integerRange(DType dtype);

/// Rounded half to even, moved by the zero point, cut to the range.
[[nodiscard]] double quantized(double scaledNumber, double zeroPoint, const IntegerRange& range);

} // namespace plimsoll::kernels
