#pragma once

#include "core/base/progress.h"
#include "core/plan/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

/// Half-open range of birth ranks: the steps at which some buffer begins, numbered. Two buffers meet in time exactly
/// when both are alive at the later of their births, so no other step matters.
struct RankSpan
{
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

/// The buffers of one arena that meet, directly or through others: one problem of its own. Everything is in units of
/// \c unit bytes, the largest number that divides all sizes, pins and coarser alignments. Arrays of plain numbers, 28
/// bytes a buffer where nothing is pinned, coarsely aligned or has gaps.
struct Section
{
    std::int64_t unit = 1;
    std::int32_t ranks = 0;
    std::int64_t bound = 0;              ///< No packing is lower: most units alive at any rank, or the highest pin.
    std::vector<RankSpan> hulls;         ///< Sorted by begin, then larger first.
    std::vector<std::int64_t> sizes;     ///< At least 1.
    std::vector<std::int64_t> alignment; ///< Empty: every offset will do.
    std::vector<std::int64_t> pins;      ///< -1: free. Empty: all are.
    std::vector<std::uint32_t> pieceAt;  ///< Into pieces, with one more at the end. Empty: no gaps.
    std::vector<RankSpan> pieces;
    std::vector<std::int32_t> ids; ///< BufferId of each.

    [[nodiscard]] std::size_t count() const { return sizes.size(); }
    [[nodiscard]] bool pinned(std::size_t item) const { return !pins.empty() && pins[item] >= 0; }
    [[nodiscard]] std::int64_t alignmentOf(std::size_t item) const { return alignment.empty() ? 1 : alignment[item]; }
    [[nodiscard]] std::span<const RankSpan> piecesOf(std::size_t item) const
    {
        if (pieceAt.empty()) return {&hulls[item], 1};
        return std::span(pieces).subspan(pieceAt[item], pieceAt[item + 1] - pieceAt[item]);
    }
};

/// Offsets of a section's buffers, in units.
struct Packing
{
    std::vector<std::int64_t> offsets;
    std::int64_t peak = 0;
};

/// One arena, ready to be packed.
struct ArenaTask
{
    Section all;                         ///< Every buffer that has bytes and is alive at some step.
    std::vector<std::int32_t> asideIds;  ///< Without bytes, or never alive: they go to 0 unless pinned.
    std::int64_t asideBytes = 0;         ///< The highest pin of those that live.
    std::vector<std::uint32_t> sections; ///< First item of each time section of \c all, with one more at the end.
};

/// By ArenaId. O(n log n), memory linear in the number of intervals. The problem has passed checkProblem(). Empty when
/// stopped.
[[nodiscard]] std::vector<ArenaTask> prepare(const Problem& problem, const Context& context);

/// Units alive at every rank.
[[nodiscard]] std::vector<std::int64_t> loadOf(const Section& section);

/// The items [first, last) of \p all, which no other meets, as a section.
[[nodiscard]] Section cutOut(const Section& all, std::size_t first, std::size_t last);

/// Some items of a section, in the order given, which must be that of the section; ranks stay.
[[nodiscard]] Section subset(const Section& section, std::span<const std::uint32_t> items);

void computeBound(Section& section);

/// Numbers the ranks anew, by the births of the pieces, and computes the bound.
void finishSection(Section& section);

} // namespace plimsoll
