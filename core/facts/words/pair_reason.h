#pragma once

#include "core/facts/cell.h"

namespace plimsoll {

/// Why two values share their bytes, or why they do not: one sentence, from the decisions that could have joined them,
/// directly or through others (two outputs that both repeat a third value). Without recorded decisions it says only
/// whether they share. Of two that do not it says, too, where the plan lets them meet: one after the other, against a
/// rule, or not even though no step needs both, since their streams do not wait for each other.
[[nodiscard]] Message pairReason(const Report& report, ValueId a, ValueId b);

/// Why two values whose bytes meet may lie there, of each pair: as pairReason(), or that no step needs both, or which
/// rule it breaks.
[[nodiscard]] std::vector<Cell> whyOnSameBytes(const Report& report,
                                               const std::vector<std::pair<ValueId, ValueId>>& pairs);

} // namespace plimsoll
