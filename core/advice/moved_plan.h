#pragma once

#include "core/base/result.h"
#include "core/plan/plan_file.h"

namespace plimsoll {

/// \p plan with what is named so (see namesOf() in bisect_json.h) at an offset of its arena, each as far from the
/// others as before.
///
///     bytes  a [0 . . . 64)                             a [0 . . . 64)
///            b [0 . . . 64)   v [32 . 64)     → 128                     b [128 . . . 192)   v [160 . 192)
///
/// The arena ends where its last bytes do, unless it was longer before. It is of no file then. BadInput where the plan
/// gives none of them bytes in an arena, the offset is not on its grid, or it all adds up to more than 63 bits.
[[nodiscard]] Result<PlanFile> movedTo(PlanFile plan, const std::vector<std::string>& names, std::int64_t offset);

/// The first offset behind all that the arena of \p names holds; errors as of movedTo().
[[nodiscard]] Result<std::int64_t> freshOffset(const PlanFile& plan, const std::vector<std::string>& names);

} // namespace plimsoll
