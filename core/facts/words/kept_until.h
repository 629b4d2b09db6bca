#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// Why a storage that is alive at \p step is still alive: "add7 reads it at step 40", "the caller looks at it". Empty
/// where it is not alive then.
[[nodiscard]] Message keptUntil(const Report& report, StorageId storage, std::int64_t step);

} // namespace plimsoll
