#pragma once

#include "core/base/progress.h"
#include "core/plan/memory_map.h"
#include "core/plan/program.h"

#include <vector>

namespace plimsoll {

/// All holes of a plan, by one sweep over the steps; the largest (bytes × steps) first, equal ones as they end. What
/// the alignment of an arena leaves over is no hole, nor what some stream has not waited for. O(n log n) on a legal
/// plan. Some are missing when stopped. Those of a report are in MemoryUse::holes.
[[nodiscard]] std::vector<Hole> findHoles(const PlannedProgram& program, const Context& context = {});

} // namespace plimsoll
