#pragma once

#include "kernels/tensor_view.h"

namespace plimsoll::kernels {

/// A tensor as a value that keeps its memory alive.
[[nodiscard]] RuntimeValue tensorValue(HostTensor tensor);

} // namespace plimsoll::kernels
