#pragma once

#include "core/facts/report.h"

#include <QString>

namespace plimsoll::app {

/// Warned: no rule is broken under the policies that were chosen, and yet something is dangerous or left out.
enum class VerdictLevel { Legal, Warned, Broken };
[[nodiscard]] VerdictLevel verdictLevel(const Report& report);

/// How many warnings there are and what the first one says: "1 warning: outputs a and b share bytes; …". Empty: none.
[[nodiscard]] QString warningText(const Report& report);

/// The plan in one sentence: "Legal. Peak 38.2 MiB at step 118, 12.7 % above the bound."
[[nodiscard]] QString verdictText(const Report& report);

/// The first step with the most live bytes; -1 when there are no steps.
[[nodiscard]] std::int64_t peakStep(const Report& report);

/// "12.7 % above the bound, proved lowest"; empty where the plan is at its bound.
[[nodiscard]] QString aboveBoundText(const Report& report);

/// Peak over lower bound, less one; 0 when there is no bound.
[[nodiscard]] double aboveBound(const Report& report);

} // namespace plimsoll::app
