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
    family(cumulative) \
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
    family(mxnetMovement) \
    family(normalization) \
    family(pad) \
    family(plimsoll) \
    family(pooling) \
    family(quantize) \
    family(quantized) \
    family(random) \
    family(recurrent) \
    family(reduce) \
    family(resize) \
    family(rotary) \
    family(scatter) \
    family(select) \
    family(sequence) \
    family(shape) \
    family(slice) \
    family(softmax) \
    family(sort) \
    family(text) \
    family(training) \
    family(transpose) \
    family(vendor)
// clang-format on

#define PLIMSOLL_DECLARE_FAMILY(name) extern const KernelTable name##Kernels;
PLIMSOLL_KERNEL_FAMILIES(PLIMSOLL_DECLARE_FAMILY)
#undef PLIMSOLL_DECLARE_FAMILY

} // namespace plimsoll::kernels
