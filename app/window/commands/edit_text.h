#pragma once

#include "app/session/plan_history.h"

namespace plimsoll::app {

/// "h apart from y", "w frozen"
[[nodiscard]] QString constraintText(const Constraint& one);
/// What was changed to come to a state of the history: "c to 0x20", "In place: off".
[[nodiscard]] QString editText(const PlanHistory& history, std::size_t state);
/// "256 B → 320 B": the peak before and the one that came of it; empty where that is not known, or nothing
/// was planned for it.
[[nodiscard]] QString priceText(const PlanHistory& history, std::size_t state);

} // namespace plimsoll::app
