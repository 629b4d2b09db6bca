#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"

#include <string>

namespace plimsoll {

/// "[0x36000, 0x37000)", "0x36000" of one byte; of one of several arenas "[0x36000, 0x37000) of sram"; at some steps
/// "[0x0, 0x40), steps [3, 9)".
[[nodiscard]] std::string areaText(const Report& report, const PlanArea& area);

/// What "0x36000", "0x36000..0x37000", "0x36000-0x37000", "221184", "36 KiB", "[0x36000, 0x37000)" and
/// "sram 0x36000" mean: an area in each arena that has such bytes, and is named where one is. Empty: none of these.
[[nodiscard]] std::vector<PlanArea> readAreas(const Report& report, std::string_view text);

} // namespace plimsoll
