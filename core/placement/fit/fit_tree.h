#pragma once

#include "core/base/narrow.h"
#include "core/placement/fit/run_list.h"
#include "core/placement/search/section.h"

#include <limits>
#include <optional>

namespace plimsoll {

/// Answers "the lowest address that is free during these ranks" for buffers that come in any order, without lists of
/// which meet each other. A tree over the birth ranks, leaves of 16 ranks, four children a node. Each node keeps two
/// sets of addresses: `any`, used by a buffer that touches its ranks, and `cov`, by one that covers them all and not
/// its parent's; leaves also keep those that cover them in part.
///
///     ranks   [================ cov ================]        a buffer from rank 14 to 83
///     leaves  |....::::|::::::::|::::::::|::::....|          first and last in part, the others covered
///
/// What may not be used during [l, r) is `any` of the O(log n) nodes that make up the whole leaves of [l, r), `cov` of
/// the nodes above them, and what meets [l, r) in the two end leaves. First-fit packs densely, so sets have few runs.
template <typename Coord>
class FitTree
{
public:
    explicit FitTree(std::int32_t ranks)
    {
        std::uint32_t width = (static_cast<std::uint32_t>(ranks) + LeafRanks - 1) / LeafRanks;
        width = std::max(width, 1U);
        m_partial.resize(width);
        std::uint32_t total = 0;
        for (; m_levels.empty() || width > 1; width = (width + Fan - 1) / Fan) {
            m_levels.push_back(total);
            total += width;
        }
        m_any.resize(total + 1);
        m_cov.resize(total + 1);
    }

    void clear()
    {
        for (auto& list : m_any)
            list.clear();
        for (auto& list : m_cov)
            list.clear();
        for (auto& list : m_partial)
            list.clear();
    }

    /// Begins a question about the addresses that are used during \p pieces.
    void ask(std::span<const RankSpan> pieces)
    {
        m_sets.clear();
        m_loose.clear();
        for (const RankSpan piece : pieces)
            collect(piece);
    }

    /// The lowest hole at or above \p from in which \p units fit at a multiple of \p alignment; nothing when that would
    /// end above \p limit.
    std::optional<Coord> lowest(Coord from, Coord units, Coord alignment, Coord limit)
    {
        if (units > limit) return {};
        const Coord highest = limit - units;
        Coord at = alignment > 1 ? roundUp(from, alignment) : from;
        std::size_t quiet = 0; // parties in a row that did not object
        const std::size_t parties = m_sets.size() + 1;
        for (std::size_t party = 0; quiet < parties && at <= highest; party = party + 1 == parties ? 0 : party + 1) {
            Coord moved = party < m_sets.size() ? pushed(m_sets[party], at, units) : pushedByLoose(at, units);
            if (moved == at) {
                ++quiet;
                continue;
            }
            at = alignment > 1 ? roundUp(moved, alignment) : moved;
            quiet = at == moved ? 1 : 0;
        }
        if (at > highest) return {};
        return at;
    }

    /// Where the hole at \p at ends: the lowest used address above it.
    [[nodiscard]] Coord holeEnd(Coord at)
    {
        Coord end = std::numeric_limits<Coord>::max();
        for (Asked& set : m_sets) {
            if (const auto* run = set.list->firstAbove(at, set.cursor)) end = std::min(end, run->begin);
        }
        for (const Loose& other : m_loose) {
            if (other.begin >= at) end = std::min(end, other.begin);
        }
        return end;
    }

    void add(std::span<const RankSpan> pieces, Coord begin, Coord end)
    {
        for (const RankSpan piece : pieces)
            addPiece(piece, begin, end);
    }

    /// Looks at lists so far.
    [[nodiscard]] std::int64_t work() const { return m_work; }

private:
    static constexpr std::uint32_t LeafBits = 4;
    static constexpr std::uint32_t LeafRanks = 1U << LeafBits;
    static constexpr std::uint32_t FanBits = 2;
    static constexpr std::uint32_t Fan = 1U << FanBits;

    struct Asked
    {
        const RunList<Coord>* list = nullptr;
        typename RunList<Coord>::Cursor cursor;
    };
    struct Loose
    {
        Coord begin = 0;
        Coord end = 0;
    };
    struct Partial
    {
        Coord begin = 0;
        Coord end = 0;
        std::uint8_t first = 0; ///< Within the leaf.
        std::uint8_t last = 0;
    };

    static Coord roundUp(Coord at, Coord alignment) { return (at + alignment - 1) / alignment * alignment; }

    Coord pushed(Asked& set, Coord at, Coord units)
    {
        ++m_work;
        while (const auto* run = set.list->firstAbove(at, set.cursor)) {
            if (run->begin >= at + units) break;
            at = run->end;
        }
        return at;
    }

    Coord pushedByLoose(Coord at, Coord units)
    {
        m_work += 1 + static_cast<std::int64_t>(m_loose.size() / 8);
        for (bool moved = true; moved;) {
            moved = false;
            for (const Loose& other : m_loose) {
                if (other.end <= at || other.begin >= at + units) continue;
                at = other.end;
                moved = true;
            }
        }
        return at;
    }

    [[nodiscard]] std::uint32_t topLevel() const { return narrow<std::uint32_t>(m_levels.size()) - 1; }

    /// The nodes that make up the leaves [first, last).
    template <typename Visit>
    void eachWhole(std::uint32_t first, std::uint32_t last, Visit&& visit)
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
    void eachAbove(RankSpan leaves, RankSpan whole, Visit&& visit)
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

    void collect(RankSpan piece)
    {
        const Cover cover = coverOf(piece);
        const auto ask = [this](const RunList<Coord>& list) {
            if (!list.empty()) m_sets.push_back({&list, {}});
        };
        eachWhole(static_cast<std::uint32_t>(cover.whole.begin), static_cast<std::uint32_t>(cover.whole.end),
                  [&](std::uint32_t node) { ask(m_any[node]); });
        eachAbove(cover.touched, cover.whole, [&](std::uint32_t node) { ask(m_cov[node]); });
        eachPartial(piece, cover, [this](std::uint32_t leaf, std::uint8_t first, std::uint8_t last) {
            for (const Partial& other : m_partial[leaf]) {
                if (other.first < last && first < other.last) m_loose.push_back({other.begin, other.end});
            }
        });
    }

    void addPiece(RankSpan piece, Coord begin, Coord end)
    {
        const Cover cover = coverOf(piece);
        eachWhole(static_cast<std::uint32_t>(cover.whole.begin), static_cast<std::uint32_t>(cover.whole.end),
                  [&](std::uint32_t node) {
                      ++m_work;
                      m_any[node].add(begin, end);
                      m_cov[node].add(begin, end);
                  });
        eachAbove(cover.touched, cover.whole, [&](std::uint32_t node) {
            ++m_work;
            m_any[node].add(begin, end);
        });
        eachPartial(piece, cover, [&](std::uint32_t leaf, std::uint8_t first, std::uint8_t last) {
            m_partial[leaf].push_back({begin, end, first, last});
        });
    }

    std::vector<std::uint32_t> m_levels; ///< First node of each level, leaves first.
    std::vector<RunList<Coord>> m_any;   ///< By node.
    std::vector<RunList<Coord>> m_cov;
    std::vector<std::vector<Partial>> m_partial; ///< By leaf.
    std::vector<Asked> m_sets;
    std::vector<Loose> m_loose;
    std::int64_t m_work = 0;
};

} // namespace plimsoll
