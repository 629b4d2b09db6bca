#include "core/picture/storage_colours.h"

#include "core/picture/grouped.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <queue>

namespace plimsoll {
namespace {

using Edge = std::pair<StorageId, StorageId>;

/// More neighbours than this do not show in the colours; it bounds the sweep.
constexpr int MostNeighbours = 48;
/// Of more storages the neighbours take seconds and hundreds of MiB.
constexpr std::size_t MostByNeighbours = 200'000;
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
        auto last = m_runs.upper_bound(bytes.end);
        StorageId after;
        if (last != m_runs.begin()) after = std::prev(last)->second;
        m_runs.erase(m_runs.lower_bound(bytes.begin), m_runs.upper_bound(bytes.end));
        m_runs[bytes.begin] = storage;
        m_runs[bytes.end] = after;
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
std::int64_t nearlyTouching(const Report& report, ArenaId arena)
{
    return std::max(SmallestPadding, report.program.map.arenas[arena.index()].alignment);
}

/// Calls \p visitor with each storage, in order of its first step, and those that it touches or nearly touches and
/// that begin before it.
template <typename Visitor>
void visitTouching(const Report& report, Visitor visitor)
{
    std::vector<Occupation> order;
    order.reserve(report.program.storages.size());
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        if (!storage.arena.valid() || storage.bytes <= 0) continue;
        for (const Interval& live : storage.live.intervals())
            order.push_back({live.begin, StorageId(i)});
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });

    std::vector<LastOccupants> arenas(report.program.map.arenas.size());
    std::vector<StorageId> touching;
    for (const Occupation& next : order) {
        const Storage& storage = report.program.storages[next.storage.index()];
        if (storage.arena.index() >= arenas.size()) continue;
        LastOccupants& occupants = arenas[storage.arena.index()];
        const Interval bytes {storage.offset, storage.offset + storage.bytes};
        const std::int64_t near = nearlyTouching(report, storage.arena);
        const Interval around {bytes.begin - near, bytes.end + near};
        touching.clear();
        occupants.visit(around, [&](StorageId other) { touching.push_back(other); });
        visitor(next.storage, touching);
        occupants.occupy(bytes, next.storage);
    }
}

void addTouching(const Report& report, std::vector<Edge>& edges)
{
    visitTouching(report, [&](StorageId storage, const std::vector<StorageId>& touching) {
        for (const StorageId other : touching)
            edges.emplace_back(other, storage);
    });
}

/// Of a value, if it is in a planned arena.
StorageId plannedStorage(const Report& report, ValueId id)
{
    if (!id.valid() || id.index() >= report.program.values.size()) return {};
    const StorageId storage = report.program.values[id.index()].storage;
    return storage.valid() && report.program.storages[storage.index()].arena.valid() ? storage : StorageId();
}

/// Operands of a node differ from its results and from the operand beside them.
void addJoined(const Report& report, std::vector<Edge>& edges)
{
    for (const Node& node : report.program.graph->nodes) {
        StorageId beside;
        for (ValueId input : node.inputs) {
            const StorageId read = plannedStorage(report, input);
            if (!read.valid()) continue;
            if (beside.valid()) edges.emplace_back(beside, read);
            beside = read;
            for (std::size_t i = 0; i < node.outputs.size() && i < MostNeighbours; ++i) {
                if (const StorageId written = plannedStorage(report, node.outputs[i]); written.valid())
                    edges.emplace_back(read, written);
            }
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

class Colouring
{
public:
    /// Each edge is two positions of the list of ends: even ones are of its first storage.
    Colouring(const Report& report, const std::vector<Edge>& edges)
        : m_report(report), m_edges(edges), m_ends(report.program.storages.size(), 2 * edges.size(),
                                                   [&](std::size_t end) {
                                                       const auto& [a, b] = edges[end / 2];
                                                       return (end % 2 == 0 ? a : b).index();
                                                   }),
          m_colours(report.program.storages.size(), NoColour), m_taken(report.program.storages.size(), 0)
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

    [[nodiscard]] StorageColours take() && { return std::move(m_colours); }

private:
    struct Entry
    {
        int saturation = 0;
        std::size_t degree = 0;
        std::int64_t minusId = 0;
        friend auto operator<=>(const Entry&, const Entry&) = default;
    };

    /// The storage at the other end of the edge.
    [[nodiscard]] std::size_t beyond(std::int32_t end) const
    {
        const auto& [a, b] = m_edges[static_cast<std::size_t>(end) / 2];
        return (end % 2 == 0 ? b : a).index();
    }
    [[nodiscard]] bool wanted(std::size_t i) const { return m_report.program.storages[i].arena.valid(); }
    [[nodiscard]] int saturation(std::size_t i) const { return std::popcount(m_taken[i]); }
    void push(std::size_t i) { m_queue.push({saturation(i), m_ends.of(i).size(), -static_cast<std::int64_t>(i)}); }

    /// The colour of its name where no neighbour has it, so that the same storage of another plan looks the same; else
    /// the least used that none has. Where all are taken, the one that is seen least beside this storage.
    [[nodiscard]] ColourIndex choose(std::size_t i) const
    {
        constexpr std::int64_t Touching = 1000;
        constexpr std::int64_t Levels = 16;
        // By colour: how much of it is near; what lives beside this storage at some step weighs most, and the more the
        // nearer it is.
        std::array<std::int64_t, StorageColourCount> clashes {};
        const bool all = saturation(i) >= static_cast<int>(StorageColourCount);
        const ColourIndex wanted = colourOfName(storageName(m_report, StorageId(i)));
        if ((m_taken[i] >> wanted & 1) == 0) return wanted;
        const Storage& own = m_report.program.storages[i];
        const std::int64_t near = nearlyTouching(m_report, own.arena);
        for (const std::int32_t end : all ? m_ends.of(i) : decltype(m_ends.of(i)) {}) {
            const std::size_t index = beyond(end);
            if (m_colours[index] == NoColour) continue;
            const Storage& other = m_report.program.storages[index];
            const std::int64_t gap = std::max(
                {own.offset - other.offset - other.bytes, other.offset - own.offset - own.bytes, std::int64_t {0}});
            const bool beside = own.arena == other.arena && gap <= near && overlaps(own.live, other.live);
            clashes[m_colours[index]] += beside ? Touching / (1 + gap / std::max<std::int64_t>(1, near / Levels)) : 1;
        }
        ColourIndex best = NoColour;
        for (ColourIndex colour = 0; colour < StorageColourCount; ++colour) {
            const bool free = (m_taken[i] >> colour & 1) == 0;
            if (!free && !all) continue;
            if (best == NoColour || std::pair(clashes[colour], m_uses[colour]) < std::pair(clashes[best], m_uses[best]))
                best = colour;
        }
        return best;
    }

    void assign(std::size_t i, ColourIndex colour)
    {
        m_colours[i] = colour;
        ++m_uses[colour];
        for (const std::int32_t end : m_ends.of(i)) {
            const std::size_t other = beyond(end);
            if (m_taken[other] >> colour & 1) continue;
            m_taken[other] |= 1U << colour;
            if (m_colours[other] == NoColour) push(other);
        }
    }

    const Report& m_report;
    const std::vector<Edge>& m_edges;
    Grouped m_ends; ///< Positions of ends, by StorageId.
    StorageColours m_colours;
    std::vector<std::uint32_t> m_taken; ///< By StorageId: a bit for each colour a neighbour has.
    std::array<std::size_t, StorageColourCount> m_uses {};
    std::priority_queue<Entry> m_queue;
};

/// One storage after the other, as they begin: by those that it touches and the operands of what it is a result of. A
/// fraction of the time and memory that the neighbours on both sides take.
class ColouringInOrder
{
public:
    explicit ColouringInOrder(const Report& report)
        : m_report(report), m_colours(report.program.storages.size(), NoColour)
    {
    }

    StorageColours run() &&
    {
        visitTouching(m_report, [this](StorageId storage, const std::vector<StorageId>& touching) {
            if (m_colours[storage.index()] != NoColour) return;
            std::uint32_t taken = takenByOperands(storage);
            for (const StorageId other : touching)
                taken |= bitOf(other);
            m_colours[storage.index()] = choose(storage, taken);
        });
        for (std::size_t i = 0; i < m_colours.size(); ++i) { // what has no bytes touches nothing
            const bool planned = m_report.program.storages[i].arena.valid();
            if (planned && m_colours[i] == NoColour) m_colours[i] = choose(StorageId(i), 0);
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
        const Graph& graph = *m_report.program.graph;
        std::uint32_t taken = 0;
        int left = MostNeighbours;
        for (const ValueId value : m_report.program.storages[storage.index()].values) {
            const NodeId producer = graph[value].producer;
            if (!producer.valid()) continue;
            for (const ValueId input : graph[producer].inputs) {
                if (left-- <= 0) return taken;
                taken |= bitOf(plannedStorage(m_report, input));
            }
        }
        return taken;
    }

    /// The colour of its name, or the least used that is free; where none is, of all.
    ColourIndex choose(StorageId storage, std::uint32_t taken)
    {
        constexpr std::uint32_t All = (1U << StorageColourCount) - 1;
        if ((taken & All) == All) taken = 0;
        ColourIndex best = colourOfName(storageName(m_report, storage));
        const bool free = (taken >> best & 1) == 0;
        for (ColourIndex colour = 0; !free && colour < StorageColourCount; ++colour) {
            const bool worse = (taken >> best & 1) != 0 || m_uses[colour] < m_uses[best];
            if ((taken >> colour & 1) == 0 && worse) best = colour;
        }
        ++m_uses[best];
        return best;
    }

    const Report& m_report;
    StorageColours m_colours;
    std::array<std::size_t, StorageColourCount> m_uses {};
};

} // namespace

const std::string& storageName(const Report& report, StorageId id)
{
    static const std::string None;
    const Storage& storage = report.program.storages[id.index()];
    if (!storage.values.empty()) return (*report.program.graph)[storage.values.front()].name;
    return storage.scratchOf.valid() ? (*report.program.graph)[storage.scratchOf].name : None;
}

std::vector<Edge> storageNeighbours(const Report& report)
{
    std::vector<Edge> edges;
    addTouching(report, edges);
    addJoined(report, edges);
    for (auto& [a, b] : edges) {
        if (b < a) std::swap(a, b);
    }
    std::erase_if(edges, [](const Edge& edge) { return edge.first == edge.second; });
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

StorageColours colourStorages(const Report& report)
{
    if (report.program.storages.size() > MostByNeighbours) return ColouringInOrder(report).run();
    const std::vector<Edge> edges = storageNeighbours(report);
    Colouring colouring(report, edges);
    colouring.colourAll();
    return std::move(colouring).take();
}

} // namespace plimsoll
