#pragma once

#include "kernels/kernel.h"

#include <span>

namespace plimsoll::kernels {

/// The kernels of one family of operators: a table at the end of its file. A new family is a line here.
using KernelTable = std::span<const KernelEntry>;

// clang-format off
#define PLIMSOLL_KERNEL_FAMILIES(family) \
    family(arithmetic) \
    family(aten) \
    family(attention) \
    family(box) \
    family(cast) \
    family(column) \
    family(comparison) \
    family(concat) \
    family(constant) \
    family(convolution) \
    family(einsum) \
    family(fourier) \
    family(gather) \
    family(grid) \
    family(linearAlgebra) \
    family(linearAttention) \
    family(loss) \
    family(math) \
    family(mxnetElementwise) \
    family(mxnetLayer) \
    family(normalization) \
    family(pad) \
    family(plimsoll) \
    family(pooling) \
    family(quantize) \
    family(random) \
    family(recurrent) \
    family(reduce) \
    family(resize) \
    family(scatter) \
    family(select) \
    family(sequence) \
    family(shape) \
    family(softmax) \
    family(sort) \
    family(text) \
    family(training) \
    family(vendor)
// clang-format on

#define PLIMSOLL_DECLARE_FAMILY(name) extern const KernelTable name##Kernels;
PLIMSOLL_KERNEL_FAMILIES(PLIMSOLL_DECLARE_FAMILY)
#undef PLIMSOLL_DECLARE_FAMILY

/// The kernel of every backward node: it evaluates the formulas that the node carries, in double precision. Null for
/// other domains.
[[nodiscard]] KernelFunction findGradientKernel(std::string_view domain);

} // namespace plimsoll::kernels
