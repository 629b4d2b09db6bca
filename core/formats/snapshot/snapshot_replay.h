#pragma once

#include "core/base/interval.h"
#include "core/formats/snapshot/memory_snapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// Time of a replay: 0 is what was there before the first event that is kept, event number n (from 1) happens at n.
///
///     events   1 alloc a   2 alloc b   3 free_requested a   4 free_completed a
///     a        [1, 4)                  b  [2, 5): alive at the end

/// The bytes of one allocation, and how long they were taken.
struct SnapshotLife
{
    std::int64_t address = 0;
    std::int64_t bytes = 0; ///< As the allocator rounds, and with the rest that it does not split off.
    std::int64_t requested = 0;
    Interval time;
    PlainData::Item frames;
};

/// Free bytes between two blocks, or at an end of a segment.
struct SnapshotHole
{
    Interval addresses;
    std::int64_t stream = 0;
};

struct SnapshotMoment
{
    std::int64_t time = 0;
    std::int64_t aliveBytes = 0;
    std::int64_t reservedBytes = 0;
};

/// A request that could not be met.
struct SnapshotRefusal
{
    SnapshotMoment moment;
    std::int64_t bytes = 0;
    std::int64_t stream = 0;
    std::int64_t deviceFreeBytes = 0;
    std::int64_t holeBytes = 0;          ///< Of all holes…
    std::int64_t foreignBytes = 0;       ///< …of those of other streams, which it may not have…
    std::int64_t awaitingBytes = 0;      ///< …and of blocks that were given up, but are not free yet.
    std::optional<SnapshotHole> largest; ///< Of those it may have.
    PlainData::Item frames;
};

/// What an allocator did, told forwards.
struct SnapshotReplay
{
    std::vector<SnapshotLife> lives;      ///< In order of their beginnings.
    std::vector<Interval> addresses;      ///< That ever were in a segment or a block; ascending, apart.
    SnapshotMoment mostAlive;             ///< The first of the highest…
    SnapshotMoment mostReserved;          ///< …each.
    std::vector<SnapshotHole> holes;      ///< At mostAlive, the largest first.
    std::vector<SnapshotRefusal> refused; ///< The last few.
    std::int64_t refusals = 0;            ///< So many there were.
    std::int64_t before = 0;              ///< So many of the lives began before the record…
    std::int64_t beforeBytes = 0;         ///< …with so many bytes.
    std::int64_t awaiting = 0;            ///< So many were given up at the end, and not free.
    std::int64_t otherSizes = 0;    ///< Blocks of the final state that are not as large as the rules would make them.
    std::vector<Message> faults;    ///< Where the file contradicts itself: sentences, the first of them…
    std::int64_t faultsLeftOut = 0; ///< …and so many more.
};

/// Fails only where more bytes are alive at once than 63 bits hold.
[[nodiscard]] Result<SnapshotReplay> replaySnapshot(const DeviceSnapshot& snapshot);

} // namespace plimsoll
