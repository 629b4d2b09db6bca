#pragma once

#include "core/advice/bisect.h"
#include "core/facts/report.h"
#include "core/plan/plan_file.h"

namespace plimsoll {

/// Which side of a finding can be given bytes of its own: of two alias sets whose bytes meet, the one that spoils; else
/// a scratchpad that meets the bytes, or what has too few of them. Nothing where the finding is about something else.
[[nodiscard]] std::optional<Culprit::Side> movableSide(const Report& report, const Finding& finding);

/// \p plan, which is that of \p program, with one side in fresh bytes behind all that its arena holds.
///
///     bytes  a [0 . . . . 64)                      a [0 . . . . 64)
///                   b [32 . . . . 96)       →                          b [128 . . . . 192)
///
/// It is of no file then. BadInput where they add up to more than 63 bits, or the plan does not place it.
[[nodiscard]] Result<PlanFile> laidApart(PlanFile plan, const PlannedProgram& program, const Culprit::Side& side);

} // namespace plimsoll
