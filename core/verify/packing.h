#pragma once

#include "core/plan/problem.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace plimsoll {

/// One thing that is wrong with the offsets of a placement problem.
struct PackingFault
{
    enum class Kind : std::uint8_t {
        Overlap,        ///< \c buffer and \c other share \c bytes while both are alive, first at \c step.
        Misaligned,     ///< Its offset is no multiple of its alignment.
        Moved,          ///< It is not where it is pinned.
        BelowArena,     ///< Its offset is negative.
        BeyondCapacity, ///< It ends above the capacity of its arena; \c bytes are those above.
        BeyondNumbers,  ///< Offset and size add up to more than 63 bits hold.
    };
    Kind kind = Kind::Overlap;
    BufferId buffer;
    BufferId other; ///< Overlap only: the one that was there before.
    std::int64_t step = 0;
    Interval bytes;
};

[[nodiscard]] std::string_view packingFaultId(PackingFault::Kind kind); ///< "overlap", "below-arena", …

struct PackingVerdict
{
    std::vector<PackingFault> faults;     ///< Those of single buffers first, then overlaps in order of their step.
    bool complete = true;                 ///< False: there are more than were asked for.
    std::vector<std::int64_t> arenaBytes; ///< By ArenaId: the highest end of a buffer with bytes and live steps.
    std::vector<std::int64_t> liveBytes;  ///< By ArenaId: the most bytes alive at any step.

    [[nodiscard]] bool legal() const { return faults.empty(); }
};

/// Expects sizes whose sum is within 63 bits, and one allocation a buffer.
///
/// Judges offsets by one sweep over time, O(n log n) for n live intervals, with nothing of what found them.
/// \p allocations by BufferId; a buffer counts with its own bytes, not rounded. Stops looking after \p most faults.
[[nodiscard]] PackingVerdict judgePacking(const Problem& problem, std::span<const Allocation> allocations,
                                          std::size_t most = 100);

} // namespace plimsoll
