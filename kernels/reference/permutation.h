#pragma once

#include "kernels/kernel.h"

namespace plimsoll::kernels {

/// Transpose's attribute: by dimension of the output, which one of \p x it is. Reversed where nothing is said.
[[nodiscard]] Result<Shape> permutationOf(const KernelCall& call, const TensorView& x);

} // namespace plimsoll::kernels
