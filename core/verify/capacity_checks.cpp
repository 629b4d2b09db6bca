#include "core/verify/checks.h"

#include "core/base/bytes.h"
#include "core/ops/op_traits.h"
#include "core/plan/live_ranges.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <limits>
#include <map>

namespace plimsoll::verifying {
namespace {

constexpr std::size_t MostNamed = 4;
constexpr std::size_t MostIntervals = 50;

/// A value or a scratchpad in one arena.
struct Occupant
{
    Interval steps;
    Interval bytes;
    ValueId value;
    NodeId scratchOf;
};

/// How many bytes are covered by at least one of the intervals that were added and not yet removed.
class Coverage
{
public:
    void add(Interval bytes) { change(bytes, 1); }
    void remove(Interval bytes) { change(bytes, -1); }
    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }

private:
    using Counts = std::map<std::int64_t, int>; ///< From that byte on, up to the next key, it is covered so often.

    void change(Interval bytes, int by)
    {
        if (bytes.empty()) return;
        const auto end = split(bytes.end);
        for (auto it = split(bytes.begin); it != end; ++it) {
            const std::int64_t length = std::next(it)->first - it->first;
            if (it->second == 0) m_bytes += length;
            it->second += by;
            if (it->second == 0) m_bytes -= length;
        }
        join(bytes.begin);
        join(bytes.end);
    }

    Counts::iterator split(std::int64_t at)
    {
        const auto next = m_counts.upper_bound(at);
        return m_counts.emplace(at, next == m_counts.begin() ? 0 : std::prev(next)->second).first;
    }

    /// Forgets a border that separates nothing.
    void join(std::int64_t at)
    {
        const auto here = m_counts.find(at);
        const int before = here == m_counts.begin() ? 0 : std::prev(here)->second;
        if (here->second == before) m_counts.erase(here);
    }

    Counts m_counts;
    std::int64_t m_bytes = 0;
};

/// How many bytes are in use, from a step on until the next change.
using Curve = std::map<std::int64_t, std::int64_t>;

/// Bytes that several occupants share count once; each interval is widened to the alignment.
Curve curveOf(const std::vector<Occupant>& occupants, std::int64_t alignment)
{
    constexpr std::int64_t Far = std::numeric_limits<std::int64_t>::max() / 2;
    const auto widened = [&](Interval bytes) {
        if (bytes.begin < 0 || bytes.end > Far || alignment > Far / 2) return bytes;
        return Interval {bytes.begin / alignment * alignment, alignUp(bytes.end, alignment)};
    };
    std::multimap<std::int64_t, std::pair<bool, Interval>> events;
    for (const Occupant& occupant : occupants) {
        if (occupant.steps.empty()) continue;
        events.emplace(occupant.steps.begin, std::pair(true, widened(occupant.bytes)));
        events.emplace(occupant.steps.end, std::pair(false, widened(occupant.bytes)));
    }
    Curve curve;
    Coverage coverage;
    for (const auto& [step, event] : events) {
        if (event.first)
            coverage.add(event.second);
        else
            coverage.remove(event.second);
        curve[step] = coverage.bytes();
    }
    return curve;
}

struct Peak
{
    std::int64_t step = 0;
    std::int64_t bytes = -1;
};

/// What is asked of one arena: nothing above \c limit. Where several arenas share a space, that is less than the
/// space's capacity.
struct Demand
{
    ArenaId arena;
    std::int64_t bytes = 0; ///< That are needed in all…
    std::int64_t capacity = 0;
    std::int64_t limit = 0;
    Message whose; ///< …by "Arena 0 (cpu)".
};

/// An interval of steps in which something lies above the limit.
struct Excess
{
    Interval steps;
    Peak peak;
};

struct CapacityChecks
{
    const PlanFacts& facts;
    const Walk& walk;
    std::vector<Finding> findings {};
};

std::vector<Occupant> occupantsOf(const CapacityChecks& on, ArenaId arena)
{
    std::vector<Occupant> occupants;
    for (std::size_t i = 0; i < on.facts.values.size(); ++i) {
        const PlaceFacts& value = on.facts.values[i];
        if (!value.walkable || value.arena != arena || value.write.empty()) continue;
        occupants.push_back({stepsInUse(on.facts, on.walk, ValueId(i)), value.write, ValueId(i), {}});
    }
    for (const ScratchFacts& scratch : on.facts.scratch) {
        if (!scratch.walkable || scratch.arena != arena || scratch.write.empty()) continue;
        const Interval steps = on.facts.program.schedule.nodes[scratch.node.index()];
        occupants.push_back({steps, scratch.write, {}, scratch.node});
    }
    return occupants;
}

/// The one with the most bytes in use first, then by step.
std::vector<Excess> placesAbove(const CapacityChecks& on, const Demand& demand, const std::vector<Occupant>& occupants)
{
    LiveRanges above;
    for (const Occupant& occupant : occupants) {
        if (occupant.bytes.end > demand.limit) above.add(occupant.steps);
    }
    const PlannedArena& arena = on.facts.map.arenas[demand.arena.index()];
    const Curve curve = curveOf(occupants, std::max<std::int64_t>(1, arena.alignment));
    std::vector<Excess> places;
    for (const Interval steps : above.intervals()) {
        Peak peak;
        auto it = curve.upper_bound(steps.begin);
        if (it != curve.begin()) --it;
        for (; it != curve.end() && it->first < steps.end; ++it)
            if (it->second > peak.bytes) peak = {std::max(it->first, steps.begin), it->second};
        places.push_back({steps, peak});
    }
    const auto most = std::max_element(places.begin(), places.end(),
                                       [](const Excess& a, const Excess& b) { return a.peak.bytes < b.peak.bytes; });
    if (most != places.end()) std::rotate(places.begin(), most, most + 1);
    return places;
}

word::List names(const CapacityChecks& on, const std::vector<Occupant>& above)
{
    return listOf(
        above,
        [&](const Occupant& occupant) {
            return nameOf(on.facts.graph(), Party {occupant.value, occupant.scratchOf});
        },
        MostNamed);
}

Finding about(const CapacityChecks& on, const Demand& demand, const Excess& place, const std::vector<Occupant>& above)
{
    Finding finding;
    finding.rule = Rule::BeyondCapacity;
    finding.arena = demand.arena;
    finding.steps = place.steps;
    finding.bytes = {demand.limit, demand.limit};
    for (const Occupant& occupant : above) {
        if (occupant.value.valid()) finding.values.push_back(occupant.value);
    }
    const Occupant& biggest = above.front();
    const NodeId node = biggest.value.valid() ? on.facts.graph()[biggest.value].producer : biggest.scratchOf;
    if (node.valid()) finding.nodes.push_back(node);
    // Buffers of a table never share.
    const Graph& graph = on.facts.graph();
    bool computing = false;
    for (std::size_t id = 0; id < graph.nodes.size() && !computing; ++id)
        computing = computes(graph, NodeId(id));
    finding.fix = say(computing ? "fix.placement-or-sharing" : "fix.placement");
    return finding;
}

void refuse(CapacityChecks& on, const Demand& demand)
{
    const std::vector<Occupant> occupants = occupantsOf(on, demand.arena);
    const std::vector<Excess> places = placesAbove(on, demand, occupants);
    if (places.empty()) { // declared larger than allowed, though nothing lies there
        Finding& finding = on.findings.emplace_back();
        finding.rule = Rule::BeyondCapacity;
        finding.arena = demand.arena;
        finding.bytes = {demand.limit, on.facts.map.arenas[demand.arena.index()].bytes};
        finding.message =
            say("beyond-capacity.empty", demand.whose, demand.bytes, demand.bytes - demand.capacity, demand.capacity);
        finding.fix = say("fix.reserve-no-more", demand.capacity);
        return;
    }
    // Of the branches of an If only one is in use at a time; what the walk has touched does not tell them apart.
    const bool alternatives =
        std::ranges::any_of(on.facts.graph().nodes, [](const Node& node) { return node.bodies.size() > 1; });
    const bool full = places.front().peak.bytes > demand.capacity && !alternatives;
    for (std::size_t i = 0; i < std::min(MostIntervals, places.size()); ++i) {
        const Excess& place = places[i];
        std::vector<Occupant> above = occupants;
        std::erase_if(above, [&](const Occupant& one) {
            return one.bytes.end <= demand.limit || !one.steps.contains(place.peak.step);
        });
        std::ranges::stable_sort(above, std::greater(), [&](const Occupant& one) {
            return one.bytes.end - std::max(demand.limit, one.bytes.begin);
        });
        Finding finding = about(on, demand, place, above);
        for (const Occupant& occupant : occupants) {
            if (overlaps(occupant.steps, place.steps))
                finding.bytes.end = std::max(finding.bytes.end, occupant.bytes.end);
        }
        const bool last = i + 1 == MostIntervals && places.size() > MostIntervals;
        finding.message =
            say("beyond-capacity", demand.whose, demand.bytes, demand.bytes - demand.capacity, demand.capacity,
                place.steps, word::Number {place.peak.step}, i == 0 ? say("beyond-capacity.most") : Message(),
                names(on, above), full && i == 0 ? say("beyond-capacity.in-use", place.peak.bytes) : Message(),
                last ? say("beyond-capacity.more", places.size() - MostIntervals) : Message());
        on.findings.push_back(std::move(finding));
    }
}

} // namespace

std::vector<Finding> checkCapacities(const PlanFacts& facts, const Walk& walk)
{
    CapacityChecks on {facts, walk};
    struct Space
    {
        std::int64_t bytes = 0;
        ArenaId last;
    };
    std::map<std::string, Space> spaces;
    const auto& arenas = facts.map.arenas;
    for (std::size_t a = 0; a < arenas.size(); ++a) {
        const PlannedArena& arena = arenas[a];
        Space& space = spaces[arena.space];
        space.bytes = checkedAdd(space.bytes, std::max<std::int64_t>(arena.bytes, 0))
                          .value_or(std::numeric_limits<std::int64_t>::max());
        space.last = ArenaId(a);
        if (!arena.capacityBytes || arena.bytes <= *arena.capacityBytes) continue;
        refuse(on, {ArenaId(a), arena.bytes, *arena.capacityBytes, *arena.capacityBytes,
                    say("arena", word::Number {a}, arena.space)});
    }
    for (const auto& [name, capacity] : facts.program.policies.capacity) {
        const auto space = spaces.find(name);
        if (space == spaces.end() || space->second.bytes <= capacity) continue;
        const PlannedArena& last = arenas[space->second.last.index()];
        const auto& own = last.capacityBytes;
        if (own && *own <= capacity && last.bytes > *own) continue; // Said already.
        const std::int64_t before = space->second.bytes - std::max<std::int64_t>(last.bytes, 0);
        refuse(on, {space->second.last, space->second.bytes, capacity, std::max<std::int64_t>(0, capacity - before),
                    say("memory-space", word::Name {name})});
    }
    return std::move(on.findings);
}

} // namespace plimsoll::verifying
