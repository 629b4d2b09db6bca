#pragma once

#include "core/report/report.h"

namespace plimsoll {

/// The first step of the backward graph: what is alive there was kept. -1 where there is none.
[[nodiscard]] std::int64_t boundaryStep(const Report& report);

} // namespace plimsoll
