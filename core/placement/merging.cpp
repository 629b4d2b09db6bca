#include "core/placement/merging.h"

#include "core/placement/random_keys.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace plimsoll {
namespace {

struct Key
{
    std::int64_t a = 0;
    std::int64_t b = 0;
    friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash
{
    std::size_t operator()(const Key& key) const
    {
        auto mixed = static_cast<std::uint64_t>(key.a) * 0x9E3779B97F4A7C15ULL ^ static_cast<std::uint64_t>(key.b);
        mixed ^= mixed >> 29;
        mixed *= 0xBF58476D1CE4E5B9ULL;
        return static_cast<std::size_t>(mixed ^ mixed >> 32);
    }
};

class Merger
{
public:
    Merger(const Section& section, std::uint64_t seed, double share)
        : m_section(section), m_random(seed), m_share(seed == 0 ? 0 : share)
    {
        const std::size_t count = section.count();
        m_merged.items = count;
        m_merged.nodes.reserve(count * 2);
        m_byHull.reserve(count);
        m_byBegin.reserve(count);
        m_byEnd.reserve(count);
        for (std::size_t item = 0; item < count; ++item)
            m_merged.nodes.push_back({section.sizes[item], section.hulls[item], -1, -1, false});
        m_gone.assign(count, false);
    }

    Merged run()
    {
        for (std::size_t item = 0; item < m_merged.items; ++item)
            settle(static_cast<std::int32_t>(item));
        collect();
        return std::move(m_merged);
    }

private:
    using Table = std::unordered_multimap<Key, std::int32_t, KeyHash>;

    static Key hullKey(const Merged::Node& node) { return {node.hull.begin, node.hull.end}; }

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
        if (const std::int32_t twin = take(m_byHull, hullKey(node)); twin >= 0) return make(twin, id, true);
        if (const std::int32_t before = take(m_byEnd, {node.hull.begin, node.size}); before >= 0)
            return make(before, id, false);
        if (const std::int32_t after = take(m_byBegin, {node.hull.end, node.size}); after >= 0)
            return make(id, after, false);
        m_byHull.emplace(hullKey(node), id);
        m_byEnd.emplace(Key {node.hull.end, node.size}, id);
        m_byBegin.emplace(Key {node.hull.begin, node.size}, id);
        return -1;
    }

    std::int32_t take(Table& table, Key key)
    {
        for (auto found = table.find(key); found != table.end(); found = table.find(key)) {
            const std::int32_t id = found->second;
            table.erase(found);
            if (!m_gone[static_cast<std::size_t>(id)]) return id;
        }
        return -1;
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
        return static_cast<std::int32_t>(m_merged.nodes.size()) - 1;
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
    Table m_byHull;
    Table m_byBegin;
    Table m_byEnd;
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

std::optional<Merged> mergeBlocks(const Section& section, std::uint64_t seed, double share)
{
    if (!section.pins.empty() || !section.alignment.empty() || !section.pieceAt.empty()) return {};
    return Merger(section, seed, share).run();
}

} // namespace plimsoll
