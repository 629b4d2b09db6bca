#include "core/picture/storage_colours.h"

#include "core/base/grouped.h"
#include "core/base/narrow.h"
#include "core/picture/alive_colours.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <utility>

namespace plimsoll {
namespace {

using Edge = std::pair<StorageId, StorageId>;

/// More neighbours than this do not show in the colours; it bounds the sweep.
constexpr int MostNeighbours = 48;
/// Of more storages the neighbours take seconds and hundreds of MiB.
constexpr std::size_t MostByNeighbours = 50'000;
/// A gap that the alignment of the next storage makes is no gap to the eye.
constexpr std::int64_t SmallestPadding = 64;

/// Which storage last stood at each byte of one arena, as runs: key = first byte of the run.
class LastOccupants
{
public:
    /// Occupants of the bytes and of those that touch them, lowest first.
    template <typename Visitor>
    void visit(Interval bytes, Visitor&& visitor) const
    {
        auto run = m_runs.upper_bound(bytes.begin - 1);
        if (run != m_runs.begin()) --run;
        for (int seen = 0; run != m_runs.end() && run->first <= bytes.end && seen < MostNeighbours; ++run, ++seen) {
            if (run->second.valid()) visitor(run->second);
        }
    }

    void occupy(Interval bytes, StorageId storage)
    {
        auto first = m_runs.lower_bound(bytes.begin);
        StorageId after = first == m_runs.begin() ? StorageId() : std::prev(first)->second;
        if (first == m_runs.end() || first->first != bytes.begin)
            first = m_runs.emplace_hint(first, bytes.begin, after);
        auto last = std::next(first);
        for (after = first->second; last != m_runs.end() && last->first < bytes.end; ++last)
            after = last->second;
        if (last == m_runs.end() || last->first != bytes.end) last = m_runs.emplace_hint(last, bytes.end, after);
        m_runs.erase(std::next(first), last);
        first->second = storage;
    }

private:
    std::map<std::int64_t, StorageId> m_runs;
};

struct Occupation
{
    std::int64_t begin = 0;
    StorageId storage;
};

/// Gaps of so many bytes do not part two storages of the arena to the eye.
std::int64_t nearlyTouching(const PlannedProgram& program, ArenaId arena)
{
    return std::max(SmallestPadding, program.map.arenas[arena.index()].alignment);
}

/// Calls \p visitor with each storage, in order of its first step, and those that it touches or nearly touches and
/// that begin before it.
template <typename Visitor>
void visitTouching(const PlannedProgram& program, Visitor visitor)
{
    std::vector<Occupation> order;
    order.reserve(program.storages.size());
    for (std::size_t i = 0; i < program.storages.size(); ++i) {
        const Storage& storage = program.storages[i];
        if (!storage.arena.valid() || storage.bytes <= 0) continue;
        for (const Interval& live : storage.live.intervals())
            order.push_back({live.begin, StorageId(i)});
    }
    std::ranges::sort(order, {}, [](const Occupation& one) { return std::pair(one.begin, one.storage); });

    std::vector<LastOccupants> arenas(program.map.arenas.size());
    std::vector<StorageId> touching;
    for (const Occupation& next : order) {
        const Storage& storage = program.storages[next.storage.index()];
        if (storage.arena.index() >= arenas.size()) continue;
        LastOccupants& occupants = arenas[storage.arena.index()];
        const Interval bytes {storage.offset, storage.offset + storage.bytes};
        const std::int64_t near = nearlyTouching(program, storage.arena);
        const Interval around {bytes.begin - near, bytes.end + near};
        touching.clear();
        occupants.visit(around, [&](StorageId other) { touching.push_back(other); });
        visitor(next.storage, touching);
        occupants.occupy(bytes, next.storage);
    }
}

void addTouching(const PlannedProgram& program, std::vector<Edge>& edges)
{
    visitTouching(program, [&](StorageId storage, const std::vector<StorageId>& touching) {
        for (const StorageId other : touching)
            edges.emplace_back(other, storage);
    });
}

/// Of a value, if it is in a planned arena.
StorageId plannedStorage(const PlannedProgram& program, ValueId id)
{
    if (!id.valid() || id.index() >= program.values.size()) return {};
    const StorageId storage = program.values[id.index()].storage;
    return storage.valid() && program.storages[storage.index()].arena.valid() ? storage : StorageId();
}

/// Operands of a node differ from its results and from the operand beside them.
void addJoined(const PlannedProgram& program, std::vector<Edge>& edges)
{
    for (const Node& node : program.graph->nodes) {
        StorageId beside;
        for (ValueId input : node.inputs) {
            const StorageId read = plannedStorage(program, input);
            if (!read.valid()) continue;
            if (beside.valid()) edges.emplace_back(beside, read);
            beside = read;
            for (std::size_t i = 0; i < node.outputs.size() && i < MostNeighbours; ++i) {
                if (const StorageId written = plannedStorage(program, node.outputs[i]); written.valid())
                    edges.emplace_back(read, written);
            }
        }
    }
}

/// Those that are alive at once, wherever there are colours for all of them.
void addAlive(const PlannedProgram& program, std::vector<Edge>& edges)
{
    std::vector<std::pair<std::int64_t, StorageId>> order; // by first step
    for (std::size_t i = 0; i < program.storages.size(); ++i) {
        if (!program.storages[i].arena.valid()) continue;
        for (const Interval& live : program.storages[i].live.intervals())
            order.emplace_back(live.begin, StorageId(i));
    }
    std::sort(order.begin(), order.end());
    std::set<std::pair<std::int64_t, StorageId>> alive; // by end
    for (const auto& [begin, storage] : order) {
        alive.erase(alive.begin(), alive.upper_bound({begin, StorageId(program.storages.size())}));
        if (alive.size() < StorageColourCount) {
            for (const auto& [end, other] : alive)
                edges.emplace_back(other, storage);
        }
        for (const Interval& live : program.storages[storage.index()].live.intervals()) {
            if (live.begin == begin) alive.emplace(live.end, storage);
        }
    }
}

/// FNV-1a, 32 bits (Fowler, Noll and Vo): the same on every machine.
ColourIndex colourOfName(std::string_view name)
{
    std::uint32_t hash = 2166136261U;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return static_cast<ColourIndex>(hash % StorageColourCount);
}

constexpr std::uint32_t All = (1U << StorageColourCount) - 1;

std::uint32_t bitsOf(const AliveColours::Counts& counts)
{
    std::uint32_t bits = 0;
    for (std::size_t colour = 0; colour < counts.size(); ++colour)
        bits |= (counts[colour] > 0 ? 1U : 0U) << colour;
    return bits;
}

/// Which storages should differ from which.
class ColourEdges
{
public:
    /// The first \p neighbours edges are of storages that touch or are joined, the others of those alive at once.
    ColourEdges(std::size_t storages, std::vector<Edge> edges, std::size_t neighbours)
        : m_edges(std::move(edges)), m_neighbours(neighbours),
          m_ends(positionsBy(storages, 2 * m_edges.size(), [&](std::size_t end) {
              const auto& [a, b] = m_edges[end / 2];
              return (end % 2 == 0 ? a : b).index();
          }))
    {
    }

    /// Each edge is two positions of the list of ends: even ones are of its first storage.
    [[nodiscard]] std::span<const std::int32_t> of(std::size_t i) const { return m_ends[i]; }
    /// The storage at the other end of the edge.
    [[nodiscard]] std::size_t beyond(std::int32_t end) const
    {
        const auto& [a, b] = m_edges[static_cast<std::size_t>(end) / 2];
        return (end % 2 == 0 ? b : a).index();
    }
    [[nodiscard]] bool isNeighbour(std::int32_t end) const { return static_cast<std::size_t>(end) / 2 < m_neighbours; }

private:
    std::vector<Edge> m_edges;
    std::size_t m_neighbours;
    Grouped<std::int32_t> m_ends; ///< Positions of ends, by StorageId.
};

class Colouring
{
public:
    Colouring(const PlannedProgram& program, const ColourEdges& edges)
        : m_program(program), m_edges(edges), m_colours(program.storages.size(), NoColour),
          m_taken(program.storages.size(), 0), m_alive(program)
    {
    }

    /// DSATUR with a lazily updated queue: an entry whose saturation is out of date has been pushed again.
    void colourAll()
    {
        for (std::size_t i = 0; i < m_colours.size(); ++i) {
            if (wanted(i)) push(i);
        }
        while (!m_queue.empty()) {
            const Entry top = m_queue.top();
            m_queue.pop();
            const auto i = static_cast<std::size_t>(-top.minusId);
            if (m_colours[i] == NoColour && top.saturation == saturation(i)) assign(i, choose(i));
        }
    }

    /// What has the colour of a neighbour, or of one that is alive beside it, takes one that none of them has, or at
    /// least no neighbour. Each change leaves fewer neighbours that are alike, or as many and fewer others: it ends.
    void mend()
    {
        for (bool changed = true; std::exchange(changed, false);) {
            for (std::size_t i = 0; i < m_colours.size(); ++i) {
                if (!wanted(i)) continue;
                AliveColours::Counts beside = m_alive.in(live(i));
                beside[m_colours[i]] -= narrow<std::int32_t>(live(i).intervals().size()); // without itself
                const std::uint32_t near = ofNeighbours(i);
                const std::uint32_t seen = near | bitsOf(beside);
                const std::uint32_t better = seen != All ? seen : near;
                if ((better >> m_colours[i] & 1) == 0 || better == All) continue;
                m_alive.remove(live(i), m_colours[i]);
                --m_uses[m_colours[i]];
                changed = true;
                recolour(i, leastUsed(~better));
            }
        }
    }

    [[nodiscard]] StorageColours take() && { return std::move(m_colours); }

private:
    struct Entry
    {
        int saturation = 0;
        std::size_t degree = 0;
        std::int64_t minusId = 0;
        friend auto operator<=>(const Entry&, const Entry&) = default;
    };

    [[nodiscard]] bool wanted(std::size_t i) const { return m_program.storages[i].arena.valid(); }
    [[nodiscard]] const LiveRanges& live(std::size_t i) const { return m_program.storages[i].live; }
    [[nodiscard]] int saturation(std::size_t i) const { return std::popcount(m_taken[i]); }
    void push(std::size_t i) { m_queue.push({saturation(i), m_edges.of(i).size(), -static_cast<std::int64_t>(i)}); }

    /// A bit for each colour that a neighbour has.
    [[nodiscard]] std::uint32_t ofNeighbours(std::size_t i) const
    {
        std::uint32_t bits = 0;
        for (const std::int32_t end : m_edges.of(i)) {
            const ColourIndex colour = m_colours[m_edges.beyond(end)];
            if (m_edges.isNeighbour(end) && colour != NoColour) bits |= 1U << colour;
        }
        return bits;
    }

    [[nodiscard]] ColourIndex leastUsed(std::uint32_t of) const
    {
        ColourIndex best = NoColour;
        for (ColourIndex colour = 0; colour < StorageColourCount; ++colour) {
            if ((of >> colour & 1) != 0 && (best == NoColour || m_uses[colour] < m_uses[best])) best = colour;
        }
        return best;
    }

    /// The colour of its name where no neighbour has it, nor one that is alive beside it, so that the same storage of
    /// another plan looks the same; else the least used that none has. Where those alive have all, one that no
    /// neighbour has, that of its name first; where neighbours have all, the one that is seen least beside it.
    [[nodiscard]] ColourIndex choose(std::size_t i) const
    {
        const std::uint32_t free = All & ~m_taken[i];
        if (free == 0) return leastSeen(i);
        const std::uint32_t unseen = free & ~bitsOf(m_alive.in(live(i)));
        const std::uint32_t among = unseen != 0 ? unseen : free;
        const ColourIndex named = colourOfName(storageName(m_program, StorageId(i)));
        return (among >> named & 1) != 0 ? named : leastUsed(among);
    }

    /// How much of each colour is near: what lives next to this storage weighs most, and the more the nearer it is.
    [[nodiscard]] ColourIndex leastSeen(std::size_t i) const
    {
        constexpr std::int64_t Touching = 10'000'000;
        constexpr std::int64_t Levels = 16;
        constexpr std::int64_t ByTurns =
            10'000; ///< At the same bytes, or joined by a node; one that lives far away: 1.
        std::array<std::int64_t, StorageColourCount> clashes {};
        const Storage& own = m_program.storages[i];
        const std::int64_t near = nearlyTouching(m_program, own.arena);
        for (const std::int32_t end : m_edges.of(i)) {
            const std::size_t index = m_edges.beyond(end);
            if (m_colours[index] == NoColour) continue;
            const Storage& other = m_program.storages[index];
            const std::int64_t gap = std::max(
                {own.offset - other.offset - other.bytes, other.offset - own.offset - own.bytes, std::int64_t {0}});
            const bool beside = own.arena == other.arena && gap <= near && overlaps(own.live, other.live);
            clashes[m_colours[index]] += beside ? Touching / (1 + gap / std::max<std::int64_t>(1, near / Levels))
                                         : m_edges.isNeighbour(end) ? ByTurns
                                                                    : 1;
        }
        ColourIndex best = 0;
        for (ColourIndex colour = 1; colour < StorageColourCount; ++colour) {
            if (std::pair(clashes[colour], m_uses[colour]) < std::pair(clashes[best], m_uses[best])) best = colour;
        }
        return best;
    }

    void recolour(std::size_t i, ColourIndex colour)
    {
        m_colours[i] = colour;
        m_alive.add(live(i), colour);
        ++m_uses[colour];
    }

    void assign(std::size_t i, ColourIndex colour)
    {
        recolour(i, colour);
        for (const std::int32_t end : m_edges.of(i)) {
            const std::size_t other = m_edges.beyond(end);
            if (m_taken[other] >> colour & 1) continue;
            m_taken[other] |= 1U << colour;
            if (m_colours[other] == NoColour) push(other);
        }
    }

    const PlannedProgram& m_program;
    const ColourEdges& m_edges;
    StorageColours m_colours;
    std::vector<std::uint32_t> m_taken; ///< By StorageId: a bit for each colour a neighbour has.
    std::array<std::size_t, StorageColourCount> m_uses {};
    std::priority_queue<Entry> m_queue;
    AliveColours m_alive;
};

/// One storage after the other, as they begin: by those that it touches, the operands of what it is a result of, and
/// those that are alive by then. A fraction of the time and memory that the neighbours on both sides take.
class ColouringInOrder
{
public:
    explicit ColouringInOrder(const PlannedProgram& program)
        : m_program(program), m_colours(program.storages.size(), NoColour)
    {
    }

    StorageColours run() &&
    {
        visitTouching(m_program, [this](StorageId storage, const std::vector<StorageId>& touching) {
            if (m_colours[storage.index()] != NoColour) return;
            std::uint32_t taken = takenByOperands(storage);
            for (const StorageId other : touching)
                taken |= bitOf(other);
            const Interval live = m_program.storages[storage.index()].live.hull();
            m_colours[storage.index()] = choose(storage, taken, aliveAt(live.begin));
            m_alive.emplace(live.end, m_colours[storage.index()]);
            ++m_aliveOf[m_colours[storage.index()]];
        });
        for (std::size_t i = 0; i < m_colours.size(); ++i) { // what has no bytes touches nothing
            const bool planned = m_program.storages[i].arena.valid();
            if (planned && m_colours[i] == NoColour) m_colours[i] = choose(StorageId(i), 0, 0);
        }
        return std::move(m_colours);
    }

private:
    [[nodiscard]] std::uint32_t bitOf(StorageId storage) const
    {
        const ColourIndex colour = storage.valid() ? m_colours[storage.index()] : NoColour;
        return colour == NoColour ? 0 : 1U << colour;
    }

    [[nodiscard]] std::uint32_t takenByOperands(StorageId storage) const
    {
        const Graph& graph = *m_program.graph;
        std::uint32_t taken = 0;
        int left = MostNeighbours;
        for (const ValueId value : m_program.storages[storage.index()].values) {
            const NodeId producer = graph[value].producer;
            if (!producer.valid()) continue;
            for (const ValueId input : graph[producer].inputs) {
                if (left-- <= 0) return taken;
                taken |= bitOf(plannedStorage(m_program, input));
            }
        }
        return taken;
    }

    std::uint32_t aliveAt(std::int64_t step)
    {
        for (; !m_alive.empty() && m_alive.top().first <= step; m_alive.pop())
            --m_aliveOf[m_alive.top().second];
        return bitsOf(m_aliveOf);
    }

    /// The colour of its name, or the least used that is free; where none is, of those that do not touch it, or of all.
    ColourIndex choose(StorageId storage, std::uint32_t taken, std::uint32_t alive)
    {
        if ((taken | alive) != All) taken |= alive;
        if (taken == All) taken = 0;
        ColourIndex best = colourOfName(storageName(m_program, storage));
        const bool free = (taken >> best & 1) == 0;
        for (ColourIndex colour = 0; !free && colour < StorageColourCount; ++colour) {
            const bool worse = (taken >> best & 1) != 0 || m_uses[colour] < m_uses[best];
            if ((taken >> colour & 1) == 0 && worse) best = colour;
        }
        ++m_uses[best];
        return best;
    }

    const PlannedProgram& m_program;
    StorageColours m_colours;
    std::array<std::size_t, StorageColourCount> m_uses {};
    using End = std::pair<std::int64_t, ColourIndex>;
    std::priority_queue<End, std::vector<End>, std::greater<>> m_alive; ///< The first that ends on top.
    AliveColours::Counts m_aliveOf {};
};

} // namespace

const std::string& storageName(const PlannedProgram& program, StorageId id)
{
    static const std::string None;
    const Storage& storage = program.storages[id.index()];
    if (!storage.values.empty()) return (*program.graph)[storage.values.front()].name;
    return storage.scratchOf.valid() ? (*program.graph)[storage.scratchOf].name : None;
}

std::vector<Edge> storageNeighbours(const PlannedProgram& program)
{
    std::vector<Edge> edges;
    addTouching(program, edges);
    addJoined(program, edges);
    for (auto& [a, b] : edges) {
        if (b < a) std::swap(a, b);
    }
    std::erase_if(edges, [](const Edge& edge) { return edge.first == edge.second; });
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

bool isColouredInOrder(const PlannedProgram& program)
{
    return program.storages.size() > MostByNeighbours;
}

StorageColours colourStorages(const PlannedProgram& program)
{
    if (isColouredInOrder(program)) return ColouringInOrder(program).run();
    std::vector<Edge> pairs = storageNeighbours(program);
    const std::size_t neighbours = pairs.size();
    addAlive(program, pairs);
    const ColourEdges edges(program.storages.size(), std::move(pairs), neighbours);
    Colouring colouring(program, edges);
    colouring.colourAll();
    colouring.mend();
    return std::move(colouring).take();
}

} // namespace plimsoll
