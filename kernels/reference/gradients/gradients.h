#pragma once

#include "kernels/kernel.h"

namespace plimsoll::kernels {

/// The kernel of every backward node: it evaluates the formulas that the node carries, in double precision. Null for
/// other domains.
[[nodiscard]] KernelFunction findGradientKernel(std::string_view domain);

} // namespace plimsoll::kernels
