#pragma once

#include "core/verify/walk.h"

namespace plimsoll::judge {

/// What can be told of each placement alone: undersized, misaligned, beyond-capacity, missing-allocation.
void checkPlacements(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings);

/// What the caller would notice: output-aliasing, output-aliases-input, and inputs that the graph itself changes.
void checkBoundary(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings);

/// What is wrong with the graph whatever the plan: false-identity, dead-output.
void checkDeclarations(const PlanFacts& facts, std::vector<Finding>& findings);

/// The steps at which a value is in use: as walked, or of its producer where the walk did not get there.
[[nodiscard]] Interval stepsInUse(const PlanFacts& facts, const Walk& walk, ValueId value);

} // namespace plimsoll::judge
