#pragma once

#include "core/facts/report.h"

#include <string>

namespace plimsoll::cli {

/// Who computes how many nodes, the reorders between them, and the values that take more than their logical bytes.
/// Empty where the reference computes everything.
[[nodiscard]] std::string layoutsText(const Report& report);

/// What there was to choose from for a node, which was taken, and the layouts it reads and writes.
[[nodiscard]] std::string offersText(const Report& report, NodeId node);

/// "onednn jit:avx2, nChw8c + plain → nChw8c, weights as OIhw8i8o in 1,152 B, scratchpad 288 B, 0.12 ms estimated"
[[nodiscard]] std::string offerText(const Implementation& offer);

} // namespace plimsoll::cli
