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
    /// Lower ones first, among buffers that begin at one step, and among those that end there: for "storage-reuse".
    std::int32_t takeOrder = 0;
    std::int32_t freeOrder = 0;
};

/// One contiguous region that is planned, and where it lives.
struct Arena
{
    std::string space = "cpu"; ///< MemorySpace
    std::int64_t alignment = 64;
    std::optional<std::int64_t> capacityBytes;
};

/// What "storage-reuse" hands a freed block on to.
struct BlockRule
{
    std::int64_t matchRange = 16;          ///< A request of 1/16 to 16 times its size. 0: to none.
    bool search = false;                   ///< Tries 1, 2, 4, … up to matchRange and keeps the lowest plan.
    std::vector<std::int32_t> stepColours; ///< By step: only to the colour that freed it. Empty: all are one.
};

/// Buffers and arenas, no graph: all that placement ever sees.
struct Problem
{
    std::vector<Buffer> buffers; ///< By BufferId.
    std::vector<Arena> arenas;   ///< By ArenaId.
    BlockRule blockRule {};
};

/// Where a buffer went.
struct Allocation
{
    ArenaId arena;
    std::int64_t offset = 0; ///< Bytes from the start of the arena.
};

/// The height of the plan that "storage-reuse" made with one match range.
struct MatchRangeTry
{
    std::int64_t range = 0;
    std::int64_t bytes = 0; ///< Sum of all arenas.
    friend bool operator==(const MatchRangeTry&, const MatchRangeTry&) = default;
};

/// Placement's answer.
struct Plan
{
    std::vector<Allocation> allocations;  ///< By BufferId.
    std::vector<std::int64_t> arenaBytes; ///< By ArenaId: the highest end, in rounded bytes.
    std::string algorithm;
    bool optimal = false;                ///< Proved: no legal plan is lower.
    std::vector<MatchRangeTry> tried {}; ///< By "storage-reuse", in this order: the plan is the first of the lowest.
};

} // namespace plimsoll
