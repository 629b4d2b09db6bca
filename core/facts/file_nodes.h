#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// How many nodes the captured graph has: without reorders and copies, the backward graph that was derived, and what a
/// reader makes twice, as the condition of a loop that is asked before the first trip and behind each.
[[nodiscard]] std::size_t fileNodes(const Report& report);

/// "3 nodes", "3 nodes and 1 more that was added".
[[nodiscard]] Message nodesText(const Report& report);

} // namespace plimsoll
