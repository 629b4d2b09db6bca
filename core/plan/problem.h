#pragma once

#include "core/base/ids.h"
#include "core/plan/live_ranges.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// One item to place.
struct Buffer
{
    std::int64_t bytes = 0; ///< Required bytes, not yet rounded to the alignment. 0 is allowed.
    LiveRanges live;
    std::int64_t alignment = 1; ///< Of the offset, in bytes; at least 1.
    ArenaId arena {std::int32_t {0}};
    std::optional<std::int64_t> pinnedOffset; ///< Given from outside; must be kept.
    std::optional<std::int64_t> hint;         ///< An offset from an earlier answer; free to ignore.
};

/// One contiguous region that is planned, and where it lives.
struct Arena
{
    std::string space = "cpu"; ///< MemorySpace
    std::int64_t alignment = 64;
    std::optional<std::int64_t> capacityBytes;
};

/// Buffers and arenas, no graph: all that placement ever sees.
struct Problem
{
    std::vector<Buffer> buffers; ///< By BufferId.
    std::vector<Arena> arenas;   ///< By ArenaId.
};

/// Where a buffer went.
struct Allocation
{
    ArenaId arena;
    std::int64_t offset = 0; ///< Bytes from the start of the arena.
};

/// Placement's answer.
struct Plan
{
    std::vector<Allocation> allocations;  ///< By BufferId.
    std::vector<std::int64_t> arenaBytes; ///< By ArenaId: the highest end, in rounded bytes.
    std::string algorithm;
    bool optimal = false; ///< Proved: no legal plan is lower.
};

} // namespace plimsoll
