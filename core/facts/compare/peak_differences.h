#pragma once

#include "core/facts/compare/plan_matches.h"
#include "core/facts/report.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Why an arena is higher in one plan than in another.
///
///     height | ······ |   above           bytes of no storage that is alive at the fullest step, over all that are…
///            | +-c--+ |
///            | ······ |   holes           …and between them
///            | +-b--+ |   storages        as the placement rounds them
///          0 +--------+   reserved        what is kept free
struct PeakDifference
{
    enum class Kind : std::uint8_t {
        Came,     ///< A storage is alive at the fullest step now…
        Went,     ///< …or is no more.
        Parted,   ///< A storage of its own, whose values lay in another one before…
        Joined,   ///< …or the other way round: bytes that are counted once now.
        Size,     ///< The same storage has more or fewer bytes,…
        Rounding, ///< …and its arena rounds them up in another way.
        Holes,
        Above,
        Overlap, ///< Bytes that several storages take at that step: of a plan that breaks rules.
        Reserved,
    };
    Kind kind = Kind::Came;
    std::string space;
    std::int64_t before = 0; ///< Bytes of it in the arena of the first plan…
    std::int64_t after = 0;  ///< …and of the second.
    std::string name {};     ///< A value in the storage, or "scratch:NODE"; empty: of the arena as a whole.
    std::string other {};    ///< Parted, Joined: the value that holds the other storage.
    ValueId valueBefore {};  ///< Of \c name; invalid: it is not in that plan.
    ValueId value {};
    StorageId storageBefore {}; ///< That is alive then; invalid: none is.
    StorageId storage {};

    [[nodiscard]] std::int64_t bytes() const { return after - before; }
};
[[nodiscard]] std::string_view peakDifferenceId(PeakDifference::Kind kind); ///< "came"
[[nodiscard]] Message peakDifferenceName(PeakDifference::Kind kind); ///< Of an arena as a whole: "free bytes above …".
[[nodiscard]] Message peakDifferenceReason(const PeakDifference& row);

struct ComparedPeaks
{
    std::vector<PeakDifference> rows; ///< None is of 0 bytes; the largest first.
    std::int64_t sum = 0;             ///< Of the rows: the difference of the peaks.
};

/// Arenas are matched by their space, storages by hand, then by the values in them. O(n log n).
[[nodiscard]] ComparedPeaks comparePeaks(const Report& before, const Report& after, const PlanMatches& matches);

} // namespace plimsoll
