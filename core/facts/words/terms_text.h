#pragma once

#include "core/facts/report.h"

#include <string>

namespace plimsoll {

/// On whose terms the plan is: "backend=captured: the graph as it is: …", and of a given plan the nodes whose
/// implementations it names.
[[nodiscard]] std::string termsSentence(const Report& report);

/// "N = 1, batch = 4" of the sizes that were not given; empty where all were.
[[nodiscard]] std::string assumedSizes(const Report& report);

} // namespace plimsoll
