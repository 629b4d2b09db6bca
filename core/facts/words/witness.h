#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// What the judge and the run of a report say of each other. The findings are those of the judge alone.
[[nodiscard]] RunResult::Witness witnessOf(const Report& report);

/// Whether the plan is legal, as legalityText(); of one in which a run has found what the judge has not, that.
[[nodiscard]] Message legalityAfterRun(const Report& report);

} // namespace plimsoll
