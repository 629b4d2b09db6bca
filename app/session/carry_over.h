#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"

namespace plimsoll::app {

/// The focus on the same thing in another report: values and nodes by name, storages by their first value, findings by
/// rule and values. What is not there any more is not picked; the step is kept inside the schedule.
[[nodiscard]] Focus carryOver(const Focus& focus, const Report& from, const Report& to);

} // namespace plimsoll::app
