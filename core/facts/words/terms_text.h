#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// On whose terms the plan is: "backend=captured: the graph as it is: …", and of a given plan the nodes whose
/// implementations it names.
[[nodiscard]] Message termsSentence(const Report& report);

/// "Assumed sizes (--dim or --shape gives them): N = 1, batch = 4"; empty where all were given.
[[nodiscard]] Message assumedSizes(const Report& report);

} // namespace plimsoll
