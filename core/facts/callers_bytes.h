#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// What the caller brings: inputs, parameters, constants, what is prepared ahead, and under outputs=external the
/// buffers for the outputs.
[[nodiscard]] std::int64_t callersBytes(const Report& report);

} // namespace plimsoll
