#pragma once

#include "core/picture/plan_picture.h"

namespace plimsoll {

/// By their first step; bars that begin together stay in painting order.
void sortBySteps(std::vector<PlanBar>& bars);

/// The bytes that a storage takes of its arena: rounded up to the alignment.
[[nodiscard]] std::int64_t takenBytes(const Report& report, StorageId storage);

/// Lifts the bars, which are sorted, so that live storages of a lane touch, and cuts them where they sink. Lanes become
/// as high as the most that is alive at once.
///
///     | +--b--+                  | +--b--+
///     | +--a-----+    step 3:    | +--a--|--+
///     | +--c-+        c dies     | +--c-+|a |
///
/// \return false, and nothing is changed, where that would take more pieces than a picture can hold
[[nodiscard]] bool stackByAge(const Report& report, PlanPicture& picture);

} // namespace plimsoll
