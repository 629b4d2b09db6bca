#pragma once

#include "core/report/report.h"

#include <QString>

namespace plimsoll::app {

/// The plan in one sentence: "Legal. Peak 38.2 MiB at step 118, 12.7 % above the bound."
[[nodiscard]] QString verdictText(const Report& report);

/// The first step with the most live bytes; -1 when there are no steps.
[[nodiscard]] std::int64_t peakStep(const Report& report);

/// Peak over lower bound, less one; 0 when there is no bound.
[[nodiscard]] double aboveBound(const Report& report);

} // namespace plimsoll::app
