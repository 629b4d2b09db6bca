#pragma once

#include "core/formats/hlo/hlo_assignment.h"
#include "core/formats/hlo/hlo_emitter.h"
#include "core/plan/plan_file.h"

namespace plimsoll::hlo {

/// The buffer assignment of a program by the names of its graph: an arena for each allocation, and what lies in bytes
/// of a parameter there. An Error where it has no place for a value that needs one.
[[nodiscard]] Result<PlanFile> planFrom(const Program& program, const std::vector<PlacedName>& placed,
                                        const Graph& graph);

/// Which allocation of the assignment each arena is, and of what kind; empty where there is one alone.
[[nodiscard]] Message allocationsNote(const Assignment& assignment);

/// Values lie in the memories that their buffers have.
void setSpaces(const Program& program, const std::vector<PlacedName>& placed, Graph& graph);

} // namespace plimsoll::hlo
