#pragma once

#include "core/base/narrow.h"
#include "core/placement/search/section.h"

#include <algorithm>

namespace plimsoll {

/// A tree over birth ranks, leaves of 16 ranks, four children a node: which nodes stand for a piece.
///
///     ranks   [================ piece ===============]       from rank 14 to 83
///     leaves  |....::::|::::::::|::::::::|::::....|          first and last in part, the others covered
class RankTree
{
public:
    explicit RankTree(std::int32_t ranks)
    {
        std::uint32_t width = (static_cast<std::uint32_t>(ranks) + LeafRanks - 1) / LeafRanks;
        width = std::max(width, 1U);
        m_leaves = width;
        for (; m_levels.empty() || width > 1; width = (width + Fan - 1) / Fan) {
            m_levels.push_back(m_nodes);
            m_nodes += width;
        }
    }

    [[nodiscard]] std::size_t leaves() const { return m_leaves; }
    [[nodiscard]] std::size_t nodes() const { return m_nodes; }

    /// The nodes that make up the leaves [first, last).
    template <typename Visit>
    void eachWhole(std::uint32_t first, std::uint32_t last, Visit&& visit) const
    {
        for (std::uint32_t level = 0; first < last; ++level) {
            const bool top = level == topLevel();
            while (first < last && (top || first % Fan != 0))
                visit(m_levels[level] + first++);
            while (first < last && last % Fan != 0)
                visit(m_levels[level] + --last);
            first >>= FanBits;
            last >>= FanBits;
        }
    }

    /// The nodes above, or at, the leaves of both ends that are not within [first, last), each once.
    template <typename Visit>
    void eachAbove(RankSpan leaves, RankSpan whole, Visit&& visit) const
    {
        auto left = static_cast<std::uint32_t>(leaves.begin);
        auto right = static_cast<std::uint32_t>(leaves.end);
        const auto inside = [whole](std::uint32_t node, std::uint32_t level) {
            const auto first = std::int64_t {node} << (FanBits * level);
            const auto last = std::int64_t {node + 1} << (FanBits * level);
            return first >= whole.begin && last <= whole.end;
        };
        for (std::uint32_t level = 0; level <= topLevel(); ++level) {
            if (!inside(left, level)) visit(m_levels[level] + left);
            if (right != left && !inside(right, level)) visit(m_levels[level] + right);
            left >>= FanBits;
            right >>= FanBits;
        }
    }

    /// The leaves that a piece touches (both inclusive), and those that it covers (half-open; maybe none).
    struct Cover
    {
        RankSpan touched;
        RankSpan whole;
    };
    static Cover coverOf(RankSpan piece)
    {
        Cover cover;
        cover.touched = {piece.begin >> LeafBits, (piece.end - 1) >> LeafBits};
        const auto roundedUp =
            static_cast<std::int32_t>((static_cast<std::uint32_t>(piece.begin) + LeafRanks - 1) >> LeafBits);
        cover.whole = {roundedUp, piece.end >> LeafBits};
        if (cover.whole.end < cover.whole.begin) cover.whole.end = cover.whole.begin;
        return cover;
    }

    /// Calls visit(leaf, first rank within it, last) for each leaf that is covered in part.
    template <typename Visit>
    static void eachPartial(RankSpan piece, const Cover& cover, Visit&& visit)
    {
        const auto part = [&](std::int32_t leaf) {
            const std::int32_t base = leaf << LeafBits;
            visit(static_cast<std::uint32_t>(leaf),
                  static_cast<std::uint8_t>(std::max(piece.begin - base, std::int32_t {0})),
                  static_cast<std::uint8_t>(std::min(piece.end - base, std::int32_t {LeafRanks})));
        };
        const auto outside = [&](std::int32_t leaf) { return leaf < cover.whole.begin || leaf >= cover.whole.end; };
        if (outside(cover.touched.begin)) part(cover.touched.begin);
        if (cover.touched.end != cover.touched.begin && outside(cover.touched.end)) part(cover.touched.end);
    }

private:
    static constexpr std::uint32_t LeafBits = 4;
    static constexpr std::uint32_t LeafRanks = 1U << LeafBits;
    static constexpr std::uint32_t FanBits = 2;
    static constexpr std::uint32_t Fan = 1U << FanBits;

    [[nodiscard]] std::uint32_t topLevel() const { return narrow<std::uint32_t>(m_levels.size()) - 1; }

    std::vector<std::uint32_t> m_levels; ///< First node of each level, leaves first.
    std::uint32_t m_leaves = 0;
    std::uint32_t m_nodes = 0;
};

} // namespace plimsoll
