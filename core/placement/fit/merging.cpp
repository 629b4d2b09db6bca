#include "core/placement/fit/merging.h"

#include "core/base/narrow.h"
#include "core/placement/fit/random_keys.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace plimsoll {
namespace {

/// What joins look for: two numbers of a node.
struct Key
{
    std::int64_t a = 0;
    std::int64_t b = 0;
    friend bool operator==(const Key&, const Key&) = default;
};

std::size_t hashOf(const Key& key)
{
    auto mixed = static_cast<std::uint64_t>(key.a) * 0x9E3779B97F4A7C15ULL ^ static_cast<std::uint64_t>(key.b);
    mixed ^= mixed >> 29;
    mixed *= 0xBF58476D1CE4E5B9ULL;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
}

/// Nodes by key, in two arrays: the newest node of each bucket, and for each node the next older one.
class NodeTable
{
public:
    explicit NodeTable(std::size_t count) : m_newest(std::bit_ceil(count + 1), -1) {}

    void add(const Key& key, std::int32_t id)
    {
        std::int32_t& newest = m_newest[hashOf(key) & (m_newest.size() - 1)];
        if (m_older.size() <= static_cast<std::size_t>(id)) m_older.resize(static_cast<std::size_t>(id) + 1, -1);
        m_older[static_cast<std::size_t>(id)] = newest;
        newest = id;
    }

    /// Takes out the newest node that keyOf() says has \p key, or -1. Those that isGone() are dropped on the way.
    template <typename KeyOf, typename IsGone>
    std::int32_t take(const Key& key, KeyOf&& keyOf, IsGone&& isGone)
    {
        std::int32_t* link = &m_newest[hashOf(key) & (m_newest.size() - 1)];
        while (*link >= 0) {
            const std::int32_t id = *link;
            std::int32_t& older = m_older[static_cast<std::size_t>(id)];
            const bool gone = isGone(id);
            if (gone || keyOf(id) == key) *link = older;
            if (!gone && keyOf(id) == key) return id;
            if (!gone) link = &older;
        }
        return -1;
    }

private:
    std::vector<std::int32_t> m_newest; ///< By bucket, a power of two of them.
    std::vector<std::int32_t> m_older;  ///< By node.
};

class Merger
{
public:
    Merger(const Section& section, std::uint64_t seed, double share)
        : m_section(section), m_random(seed), m_share(seed == 0 ? 0 : share), m_byHull(section.count()),
          m_byBegin(section.count()), m_byEnd(section.count())
    {
        const std::size_t count = section.count();
        m_merged.items = count;
        m_merged.nodes.reserve(count * 2);
        for (std::size_t item = 0; item < count; ++item)
            m_merged.nodes.push_back({section.sizes[item], section.hulls[item], -1, -1, false});
        m_gone.assign(count, false);
    }

    std::optional<Merged> run(Budget& budget)
    {
        for (std::size_t item = 0; item < m_merged.items; ++item) {
            settle(static_cast<std::int32_t>(item));
            if (budget.spend(20)) return {};
        }
        collect();
        return std::move(m_merged);
    }

private:
    static Key hullKey(const Merged::Node& node) { return {node.hull.begin, node.hull.end}; }
    static Key beginKey(const Merged::Node& node) { return {node.hull.begin, node.size}; }
    static Key endKey(const Merged::Node& node) { return {node.hull.end, node.size}; }

    /// Puts a node down, joining it with what fits as long as something does.
    void settle(std::int32_t id)
    {
        for (std::int32_t joined = join(id); joined >= 0; joined = join(joined)) {}
    }

    /// The node made of \p id and a partner, or -1 when there is none: then \p id waits for one.
    std::int32_t join(std::int32_t id)
    {
        if (m_share > 0 && m_random.unit() < m_share) return -1;
        const Merged::Node node = m_merged.nodes[static_cast<std::size_t>(id)];
        if (const std::int32_t twin = take<hullKey>(m_byHull, hullKey(node)); twin >= 0) return make(twin, id, true);
        if (const std::int32_t before = take<endKey>(m_byEnd, beginKey(node)); before >= 0)
            return make(before, id, false);
        if (const std::int32_t after = take<beginKey>(m_byBegin, endKey(node)); after >= 0)
            return make(id, after, false);
        m_byHull.add(hullKey(node), id);
        m_byEnd.add(endKey(node), id);
        m_byBegin.add(beginKey(node), id);
        return -1;
    }

    template <Key (*KeyOf)(const Merged::Node&)>
    std::int32_t take(NodeTable& table, const Key& key) const
    {
        return table.take(
            key, [this](std::int32_t id) { return KeyOf(m_merged.nodes[static_cast<std::size_t>(id)]); },
            [this](std::int32_t id) { return m_gone[static_cast<std::size_t>(id)]; });
    }

    std::int32_t make(std::int32_t lower, std::int32_t upper, bool stacked)
    {
        const Merged::Node& a = m_merged.nodes[static_cast<std::size_t>(lower)];
        const Merged::Node& b = m_merged.nodes[static_cast<std::size_t>(upper)];
        const std::int64_t size = stacked ? a.size + b.size : a.size;
        m_merged.nodes.push_back({size, {a.hull.begin, b.hull.end}, lower, upper, stacked});
        m_gone[static_cast<std::size_t>(lower)] = true;
        m_gone[static_cast<std::size_t>(upper)] = true;
        m_gone.push_back(false);
        return narrow<std::int32_t>(m_merged.nodes.size()) - 1;
    }

    void collect()
    {
        for (std::uint32_t id = 0; id < m_merged.nodes.size(); ++id) {
            if (!m_gone[id]) m_merged.rootOf.push_back(id);
        }
        const auto before = [this](std::uint32_t a, std::uint32_t b) {
            const Merged::Node& x = m_merged.nodes[a];
            const Merged::Node& y = m_merged.nodes[b];
            if (x.hull.begin != y.hull.begin) return x.hull.begin < y.hull.begin;
            return x.size != y.size ? x.size > y.size : a < b;
        };
        std::sort(m_merged.rootOf.begin(), m_merged.rootOf.end(), before);
        Section& section = m_merged.section;
        section.unit = m_section.unit;
        section.ranks = m_section.ranks;
        for (const std::uint32_t id : m_merged.rootOf) {
            section.hulls.push_back(m_merged.nodes[id].hull);
            section.sizes.push_back(m_merged.nodes[id].size);
            section.ids.push_back(static_cast<std::int32_t>(id));
        }
        finishSection(section);
    }

    const Section& m_section;
    Randomness m_random;
    double m_share;
    Merged m_merged;
    std::vector<bool> m_gone;
    NodeTable m_byHull;
    NodeTable m_byBegin;
    NodeTable m_byEnd;
};

} // namespace

Packing Merged::takeApart(const Packing& packing) const
{
    std::vector<std::int64_t> offsets(nodes.size(), 0);
    for (std::size_t root = 0; root < rootOf.size(); ++root)
        offsets[rootOf[root]] = packing.offsets[root];
    for (std::size_t id = nodes.size(); id-- > items;) {
        const Node& node = nodes[id];
        const auto lower = static_cast<std::size_t>(node.lower);
        offsets[lower] = offsets[id];
        offsets[static_cast<std::size_t>(node.upper)] = offsets[id] + (node.stacked ? nodes[lower].size : 0);
    }
    offsets.resize(items);
    return {std::move(offsets), packing.peak};
}

std::optional<Merged> mergeBlocks(const Section& section, std::uint64_t seed, double share, Budget& budget)
{
    if (!section.pins.empty() || !section.alignment.empty() || !section.pieceAt.empty()) return {};
    return Merger(section, seed, share).run(budget);
}

} // namespace plimsoll
