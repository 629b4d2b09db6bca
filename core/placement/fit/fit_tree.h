#pragma once

#include "core/placement/fit/rank_tree.h"
#include "core/placement/fit/run_list.h"

#include <limits>
#include <optional>

namespace plimsoll {

/// Answers "the lowest address that is free during these ranks" for buffers that come in any order, without lists of
/// which meet each other. Each node of a tree over the birth ranks keeps two sets of addresses: `any`, used by a buffer
/// that touches its ranks, and `cov`, by one that covers them all and not its parent's; leaves also keep those that
/// cover them in part.
///
/// What may not be used during [l, r) is `any` of the O(log n) nodes that make up the whole leaves of [l, r), `cov` of
/// the nodes above them, and what meets [l, r) in the two end leaves. First-fit packs densely, so sets have few runs.
template <typename Coord>
class FitTree
{
public:
    explicit FitTree(std::int32_t ranks)
        : m_tree(ranks), m_any(m_tree.nodes()), m_cov(m_tree.nodes()), m_partial(m_tree.leaves())
    {
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
        for (const RankSpan piece : pieces) {
            const RankTree::Cover cover = RankTree::coverOf(piece);
            const auto ask = [this](const RunList<Coord>& list) {
                if (!list.empty()) m_sets.push_back({&list, {}});
            };
            m_tree.eachWhole(static_cast<std::uint32_t>(cover.whole.begin), static_cast<std::uint32_t>(cover.whole.end),
                             [&](std::uint32_t node) { ask(m_any[node]); });
            m_tree.eachAbove(cover.touched, cover.whole, [&](std::uint32_t node) { ask(m_cov[node]); });
            RankTree::eachPartial(piece, cover, [this](std::uint32_t leaf, std::uint8_t first, std::uint8_t last) {
                for (const Partial& other : m_partial[leaf]) {
                    if (other.first < last && first < other.last) m_loose.push_back({other.begin, other.end});
                }
            });
        }
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
        for (const RankSpan piece : pieces) {
            const RankTree::Cover cover = RankTree::coverOf(piece);
            m_tree.eachWhole(static_cast<std::uint32_t>(cover.whole.begin), static_cast<std::uint32_t>(cover.whole.end),
                             [&](std::uint32_t node) {
                                 ++m_work;
                                 m_any[node].add(begin, end);
                                 m_cov[node].add(begin, end);
                             });
            m_tree.eachAbove(cover.touched, cover.whole, [&](std::uint32_t node) {
                ++m_work;
                m_any[node].add(begin, end);
            });
            RankTree::eachPartial(piece, cover, [&](std::uint32_t leaf, std::uint8_t first, std::uint8_t last) {
                m_partial[leaf].push_back({begin, end, first, last});
            });
        }
    }

    /// Looks at lists so far.
    [[nodiscard]] std::int64_t work() const { return m_work; }

private:
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

    RankTree m_tree;
    std::vector<RunList<Coord>> m_any; ///< By node.
    std::vector<RunList<Coord>> m_cov;
    std::vector<std::vector<Partial>> m_partial; ///< By leaf.
    std::vector<Asked> m_sets;
    std::vector<Loose> m_loose;
    std::int64_t m_work = 0;
};

} // namespace plimsoll
