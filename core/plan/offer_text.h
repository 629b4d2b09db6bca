#pragma once

#include "core/plan/implementation.h"

namespace plimsoll {

/// "nChw8c + plain → nChw8c": the layouts that an offer reads and leaves.
[[nodiscard]] std::string layoutsText(const Implementation& offer);

/// "onednn jit:avx2, nChw8c + plain → nChw8c, weights as OIhw8i8o in 1,152 B, scratchpad 288 B, 0.12 ms estimated"
[[nodiscard]] std::string offerText(const Implementation& offer);

} // namespace plimsoll
