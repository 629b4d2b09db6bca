#include "core/placement/fit/loose_blocks.h"

#include "core/base/narrow.h"
#include "core/placement/fit/random_keys.h"

#include <algorithm>
#include <queue>

namespace plimsoll {
namespace {

/// Two blocks, and what it costs to join them.
struct Pair
{
    double cost = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    bool stacked = false;
    friend bool operator<(const Pair& x, const Pair& y) // the cheapest is the top of the queue
    {
        if (x.cost != y.cost) return x.cost > y.cost;
        return x.a != y.a ? x.a > y.a : x.b > y.b;
    }
};

class LooseJoiner
{
public:
    LooseJoiner(Merged& merged, const Looseness& looseness)
        : m_merged(merged), m_looseness(looseness), m_random(looseness.seed), m_load(loadOf(merged.section))
    {
        for (std::size_t root = 0; root < merged.section.count(); ++root)
            m_blocks.push_back({merged.rootOf[root], merged.section.hulls[root], merged.section.sizes[root], true});
    }

    void run(Budget& budget)
    {
        for (std::uint32_t block = 1; block < m_blocks.size(); ++block)
            consider(block, budget);
        while (!m_pairs.empty() && !budget.over()) {
            const Pair pair = m_pairs.top();
            m_pairs.pop();
            if (!m_blocks[pair.a].there || !m_blocks[pair.b].there || !fits(pair)) continue;
            join(pair);
            consider(narrow<std::uint32_t>(m_blocks.size()) - 1, budget);
        }
        collect();
    }

private:
    struct Block
    {
        std::uint32_t node = 0; ///< Of the merged section.
        RankSpan hull;
        std::int64_t size = 0;
        bool there = true; ///< Not joined to another yet.
    };

    static double areaOf(RankSpan hull, std::int64_t size)
    {
        return static_cast<double>(hull.end - hull.begin) * static_cast<double>(size);
    }
    static RankSpan hullOf(const Block& x, const Block& y)
    {
        return {std::min(x.hull.begin, y.hull.begin), std::max(x.hull.end, y.hull.end)};
    }
    static bool meet(const Block& x, const Block& y) { return x.hull.begin < y.hull.end && y.hull.begin < x.hull.end; }

    /// Queues the pairs of a block with those before it.
    void consider(std::uint32_t block, Budget& budget)
    {
        const Block& x = m_blocks[block];
        for (std::uint32_t other = 0; other < block; ++other) {
            const Block& y = m_blocks[other];
            if (!y.there) continue;
            const bool stacked = meet(x, y);
            const std::int64_t size = stacked ? x.size + y.size : std::max(x.size, y.size);
            const double used = areaOf(x.hull, x.size) + areaOf(y.hull, y.size);
            const double waste = areaOf(hullOf(x, y), size) / used - 1;
            if (waste > m_looseness.waste) continue;
            m_pairs.push({waste * (0.5 + m_random.unit()), block, other, stacked});
        }
        budget.spend(static_cast<std::int64_t>(block) / 2);
    }

    /// Adds the waste of a join to the load, or takes it back.
    void load(const Pair& pair, std::int64_t sign)
    {
        const auto add = [&](RankSpan span, std::int64_t units) {
            for (std::int32_t rank = span.begin; rank < span.end; ++rank)
                m_load[static_cast<std::size_t>(rank)] += sign * units;
        };
        const Block& x = m_blocks[pair.a];
        const Block& y = m_blocks[pair.b];
        add(hullOf(x, y), pair.stacked ? x.size + y.size : std::max(x.size, y.size));
        add(x.hull, -x.size);
        add(y.hull, -y.size);
    }

    /// Whether no rank is too full afterwards; then the load is what it is afterwards.
    bool fits(const Pair& pair)
    {
        load(pair, 1);
        const RankSpan hull = hullOf(m_blocks[pair.a], m_blocks[pair.b]);
        const auto first = m_load.begin() + hull.begin;
        if (*std::max_element(first, m_load.begin() + hull.end) <= m_looseness.limit) return true;
        load(pair, -1);
        return false;
    }

    void join(const Pair& pair)
    {
        Block& x = m_blocks[pair.a];
        Block& y = m_blocks[pair.b];
        x.there = y.there = false;
        const std::int64_t size = pair.stacked ? x.size + y.size : std::max(x.size, y.size);
        const Block joined {narrow<std::uint32_t>(m_merged.nodes.size()), hullOf(x, y), size, true};
        m_merged.nodes.push_back(
            {size, joined.hull, static_cast<std::int32_t>(x.node), static_cast<std::int32_t>(y.node), pair.stacked});
        m_blocks.push_back(joined);
    }

    void collect()
    {
        std::erase_if(m_blocks, [](const Block& block) { return !block.there; });
        std::sort(m_blocks.begin(), m_blocks.end(), [](const Block& x, const Block& y) {
            if (x.hull.begin != y.hull.begin) return x.hull.begin < y.hull.begin;
            return x.size != y.size ? x.size > y.size : x.node < y.node;
        });
        Section section;
        section.unit = m_merged.section.unit;
        section.ranks = m_merged.section.ranks;
        m_merged.rootOf.clear();
        for (const Block& block : m_blocks) {
            section.hulls.push_back(block.hull);
            section.sizes.push_back(block.size);
            section.ids.push_back(static_cast<std::int32_t>(block.node));
            m_merged.rootOf.push_back(block.node);
        }
        finishSection(section);
        m_merged.section = std::move(section);
    }

    Merged& m_merged;
    const Looseness m_looseness;
    Randomness m_random;
    std::vector<std::int64_t> m_load; ///< By rank.
    std::vector<Block> m_blocks;
    std::priority_queue<Pair> m_pairs;
};

} // namespace

void joinLoosely(Merged& merged, const Looseness& looseness, Budget& budget)
{
    if (merged.section.count() <= MostLooseBlocks) LooseJoiner(merged, looseness).run(budget);
}

} // namespace plimsoll
