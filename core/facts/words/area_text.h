#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"
#include "core/facts/words/number_text.h"

#include <string>

namespace plimsoll {

/// "[0x36000, 0x37000)", "0x36000" of one byte; of one of several arenas "[0x36000, 0x37000) of sram"; at some steps
/// "[0x0, 0x40), steps [3, 9)".
[[nodiscard]] std::string areaText(const Report& report, const PlanArea& area, NumberForm form = {});

/// Where what is picked lies: the area itself, or the bytes of a value, a storage, a hole or a finding at all its
/// steps. None of what has no bytes in an arena.
[[nodiscard]] PlanArea areaOf(const Report& report, const Focus& focus);

/// What "0x36000", "0x36000..0x37000", "0x36000-0x37000", "221184", "36 KiB", "[0x36000, 0x37000)" and
/// "sram 0x36000" mean: an area in each arena that has such bytes, and is named where one is. Empty: none of these.
[[nodiscard]] std::vector<PlanArea> readAreas(const Report& report, std::string_view text);

} // namespace plimsoll
