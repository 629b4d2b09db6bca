#pragma once

#include "kernels/kernel.h"

#include <vector>

namespace plimsoll::kernels {

/// What one dimension gives: elements begin, begin + step, …
struct SliceCut
{
    std::int64_t begin = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};
/// What Slice's inputs or attributes say, by dimension.
[[nodiscard]] Result<std::vector<SliceCut>> sliceCuts(const KernelCall& call, const TensorView& x);

/// Where the elements that are left stand in a dense tensor. Counted in elements.
struct CutBlock
{
    Shape shape;
    Shape strides;
    std::int64_t offset = 0;
};
/// \p cuts of a tensor of shape \p whole.
[[nodiscard]] CutBlock cutBlock(const std::vector<SliceCut>& cuts, const Shape& whole);

} // namespace plimsoll::kernels
