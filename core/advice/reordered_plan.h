#pragma once

#include "core/facts/report.h"
#include "core/plan/plan_file.h"

namespace plimsoll {

/// \p plan, of which \p report is, with a node one place earlier (later) among the nodes of its body; what is nested in
/// either goes along. What the plan does not name (reorders, copies) runs where it is needed.
///
///     steps  a  loop  loop.x  loop.y  b      b earlier  →   a  b  loop  loop.x  loop.y
///
/// It is of no file then. BadInput where no node stands there, or one of the two needs the other before it: the message
/// names the value.
[[nodiscard]] Result<PlanFile> reordered(PlanFile plan, const Report& report, NodeId node, bool earlier);

/// The same, with a node moved to just before \p other, past all that runs in between. BadInput, too, where the two do
/// not run in the same body.
[[nodiscard]] Result<PlanFile> movedBefore(PlanFile plan, const Report& report, NodeId node, NodeId other);

} // namespace plimsoll
