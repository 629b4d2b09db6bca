#pragma once

#include "core/base/ids.h"
#include "core/plan/live_ranges.h"

#include <cstdint>
#include <vector>

namespace plimsoll {

/// The values that ended up in one block of bytes: an alias set, or several joined by sharing.
struct Storage
{
    ArenaId arena;           ///< Invalid for inputs, parameters and constants: the caller's bytes.
    std::int64_t offset = 0; ///< In the arena.
    std::int64_t bytes = 0;  ///< Required, the maximum over its values.
    LiveRanges live;
    std::vector<ValueId> values; ///< In order of definition. Empty for a scratchpad.
    NodeId scratchOf;            ///< Valid for the scratchpad of that node.
};

} // namespace plimsoll
