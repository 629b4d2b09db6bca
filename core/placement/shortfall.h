#pragma once

#include "core/placement/search/search.h"

namespace plimsoll {

/// Why no plan of \p arena is below \p needed bytes, as far as load and pins tell.
[[nodiscard]] CapacityShortfall explainShortfall(const Problem& problem, ArenaId arena, std::int64_t needed);

} // namespace plimsoll
