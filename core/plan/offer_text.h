#pragma once

#include "core/plan/implementation.h"

namespace plimsoll {

/// "nChw8c + plain → nChw8c": the layouts that an offer reads and leaves.
[[nodiscard]] std::string layoutsText(const Implementation& offer);

} // namespace plimsoll
