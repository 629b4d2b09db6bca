#pragma once

#include "kernels/kernel.h"

#include <utility>
#include <vector>

namespace plimsoll::kernels {

/// Begin and end pads of every dimension, as Pad's inputs or attributes say.
[[nodiscard]] Result<std::vector<std::pair<std::int64_t, std::int64_t>>> padsOf(const KernelCall& call,
                                                                                const TensorView& x);

} // namespace plimsoll::kernels
