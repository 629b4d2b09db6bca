#pragma once

#include "core/facts/peak_causes.h"
#include "core/facts/report.h"

namespace plimsoll {

/// "proved lowest for this sharing", "the limit came before a proof". Empty for a plan that was handed in.
[[nodiscard]] Message searchEnd(const Report& report);

/// How the plan was found: "best: proved lowest for this sharing; found by windows." Empty for a plan that was handed
/// in.
[[nodiscard]] Message searchSentence(const Report& report);

/// Where an arena is higher than the bytes that are alive there, and what is known of the reason. Empty where it is at
/// its lower bound.
[[nodiscard]] Message gapSentence(const Report& report, const PeakCauses& causes);

} // namespace plimsoll
