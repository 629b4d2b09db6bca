#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// Why a storage that is alive at \p step is still alive: "add7 reads it at step 40", "the caller looks at it". Of one
/// that is not alive then, why it was at its last steps. Empty where it never is.
[[nodiscard]] Message keptUntil(const Report& report, StorageId storage, std::int64_t step);

} // namespace plimsoll
