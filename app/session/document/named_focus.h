#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"
#include "core/formats/plimsoll/session_json.h"

namespace plimsoll::app {

/// The same thing by its names, as a session keeps it. A hole has none: its step is left.
[[nodiscard]] NamedFocus namesOf(const Focus& focus, const Report& report);

/// What of a report has these names; nothing is picked where nothing has, and the step is kept inside the schedule.
[[nodiscard]] Focus focusNamed(const NamedFocus& names, const Report& report);

} // namespace plimsoll::app
