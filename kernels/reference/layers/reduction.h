#pragma once

#include "kernels/reference/strides.h"

#include <vector>

namespace plimsoll::kernels {

/// A shape taken apart into the dimensions that stay and those that are folded away, with their strides in elements.
struct Reduction
{
    Shape kept;
    Shape keptStrides;
    Shape gone;
    Shape goneStrides;
    Shape outShape; ///< Of the outcome: with the folded dimensions as 1 when they are to be kept.
};
[[nodiscard]] Reduction reductionOver(const Shape& shape, const std::vector<bool>& reduced, bool keepDims);

} // namespace plimsoll::kernels
