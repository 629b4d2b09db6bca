#pragma once

#include "core/plan/program.h"

namespace plimsoll::verifying {

/// By ValueId, of values whose size only the run knows: the most bytes that each can have, found step by step as the
/// program runs; -1 for all others and where nothing bounds it.
[[nodiscard]] std::vector<std::int64_t> sizeBounds(const Program& program);

} // namespace plimsoll::verifying
