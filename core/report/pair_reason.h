#pragma once

#include "core/report/report.h"

#include <string>

namespace plimsoll {

/// Why two values share their bytes, or why they do not: one sentence, from the decisions that could have joined them,
/// directly or through others (two outputs that both repeat a third value). Without recorded decisions it says only
/// whether they share.
[[nodiscard]] std::string pairReason(const Report& report, ValueId a, ValueId b);

} // namespace plimsoll
