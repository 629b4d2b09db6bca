#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// What the judge and the run of a report say of each other. The findings are those of the judge alone.
[[nodiscard]] RunResult::Witness witnessOf(const Report& report);

} // namespace plimsoll
