#pragma once

#include "core/base/message.h"
#include "core/formats/graphs_of_file.h"
#include "core/plan/problem.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// A request that an allocator could not meet.
struct AllocatorRefusal
{
    std::int64_t time = 0;
    std::int64_t step = -1; ///< Of the packing graph: the last one that is over by then; -1: none is.
    std::int64_t requestBytes = 0;
    std::int64_t aliveBytes = 0;
    std::int64_t reservedBytes = 0;
    std::int64_t freeBytes = 0;          ///< Of what is reserved, in all holes…
    std::int64_t foreignBytes = 0;       ///< …in those of other streams, which the request may not have…
    std::int64_t awaitingBytes = 0;      ///< …and of blocks that were given up, but are not free yet.
    std::int64_t largestHoleBytes = 0;   ///< Of those that it may have; 0: there is none.
    std::int64_t largestHoleOffset = -1; ///< In the table; -1: there is none.
    std::int64_t deviceFreeBytes = 0;    ///< Not reserved.
    std::vector<std::string> frames {};  ///< Where from: "model.py:24 softmax", innermost first. May be empty.
};

/// What an allocator did that placed the buffers of a table while a program ran. Times are those of the table.
struct AllocatorRecord
{
    std::string device; ///< "cuda:0"
    std::int64_t mostReservedBytes = 0;
    std::int64_t mostReservedTime = 0; ///< The first of the highest, here and below.
    std::int64_t mostAliveBytes = 0;
    std::int64_t mostAliveTime = 0;
    std::int64_t reservedThenBytes = 0;       ///< At mostAliveTime.
    std::int64_t heightBytes = 0;             ///< Up to the end of the highest buffer, over all addresses side by side.
    std::int64_t refusals = 0;                ///< So many requests were refused.
    std::vector<AllocatorRefusal> refused {}; ///< The last few of them, in their order.
};

/// A placement problem from a table of buffers.
struct PackingTable
{
    Problem problem;              ///< One arena, alignment 1, no capacity; "cpu", or the device of a record.
    std::vector<std::string> ids; ///< By BufferId, as the file has them.
    std::vector<std::optional<std::int64_t>> offsets; ///< Given ones, by BufferId; empty without such a column.
    /// Gaps in which part of a buffer stays ("a-b@low:high"): taken as if all of it stayed, which is safe.
    std::int64_t partialGaps = 0;

    std::vector<std::string> sources {};    ///< By BufferId: the line that asked for it; empty where that is not known.
    std::vector<std::int64_t> requested {}; ///< By BufferId: bytes before they were rounded; likewise.
    std::vector<Message> notes {};          ///< What its reader has to say.
    GraphsOfFile tables {};                 ///< Of the file.
    std::optional<AllocatorRecord> allocator {}; ///< Of a table that is a record.
};

/// More rows are refused unless more are asked for: a table of this many takes some 1.3 GiB.
inline constexpr std::size_t MostPackingRows = 8'000'000;

} // namespace plimsoll
