#include "core/advice/bisect.h"

#include "core/analysis/missing_waits.h"
#include "core/base/bytes.h"

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

using Mismatch = RunResult::Mismatch;

/// What moves as one: an alias set, or a scratchpad.
struct Unit
{
    Culprit::Side what;
    ArenaId arena;
    Interval bytes;
    LiveRanges live;
    std::int64_t freshOffset = 0;
};

/// A plan in pieces, and room to lay them apart.
struct Parts
{
    const PlannedProgram& program;
    AliasSets aliases;
    std::vector<Unit> units {};          ///< In the order of their first writes.
    std::vector<PlannedArena> arenas {}; ///< High enough for all fresh bytes.
    std::vector<MissingWait> waits {};   ///< In the order of the nodes that wait.
};

/// By unit: whether it keeps its place; the others have fresh bytes. Behind them by missing wait: whether it is still
/// missing.
using Kept = std::vector<bool>;

std::vector<Unit> unitsOf(const PlannedProgram& program, const AliasSets& aliases)
{
    std::vector<Unit> units;
    const std::vector<ValuePlacement>& places = program.map.values;
    std::vector<std::size_t> unitOf(places.size(), places.size()); // by root
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i].placed()) continue;
        std::size_t& index = unitOf[aliases.root[i].index()];
        if (index == places.size()) {
            index = units.size();
            units.push_back({.arena = places[i].arena, .bytes = {places[i].offset, places[i].offset}});
        }
        Unit& unit = units[index];
        unit.what.values.emplace_back(i);
        unit.bytes.begin = std::min(unit.bytes.begin, places[i].offset);
        unit.bytes.end = std::max(unit.bytes.end, places[i].offset + places[i].bytes);
        unit.live.add(program.values[i].live);
    }
    for (const ScratchPlacement& scratch : program.map.scratch) {
        const Interval bytes {scratch.where.offset, scratch.where.offset + scratch.where.bytes};
        const LiveRanges live(program.schedule.nodes[scratch.node.index()]);
        units.push_back({{{}, scratch.node}, scratch.where.arena, bytes, live});
    }
    std::ranges::stable_sort(units, {}, [](const Unit& unit) { return unit.live.hull().begin; });
    return units;
}

/// Of a value that lies apart: at least what its implementation needs.
std::int64_t roomOf(const PlannedProgram& program, ValueId value)
{
    return std::max(program.values[value.index()].requiredBytes, program.map.values[value.index()].bytes);
}

/// Fresh bytes lie behind all that the arenas hold, one beside the other.
Result<Parts> partsOf(const PlannedProgram& program)
{
    Parts parts {program, findAliasSets(program)};
    parts.units = unitsOf(program, parts.aliases);
    parts.waits = missingWaits(program, parts.aliases);
    parts.arenas = program.map.arenas;
    for (PlannedArena& arena : parts.arenas)
        arena.capacityBytes.reset();
    for (const Unit& unit : parts.units) {
        std::int64_t& height = parts.arenas[unit.arena.index()].bytes;
        height = std::max(height, unit.bytes.end);
    }
    for (Unit& unit : parts.units) {
        std::optional<std::int64_t> room = unit.what.scratchOf.valid() ? unit.bytes.length() : 0;
        for (const ValueId value : unit.what.values) {
            const auto end = checkedAdd(parts.aliases.offset[value.index()], roomOf(program, value));
            room = room && end ? std::optional(std::max(*room, *end)) : std::nullopt;
        }
        PlannedArena& arena = parts.arenas[unit.arena.index()];
        const auto begin = checkedAlignUp(arena.bytes, std::max<std::int64_t>(1, arena.alignment));
        const auto end = begin && room ? checkedAdd(*begin, *room) : std::nullopt;
        if (!end) return Error {ErrorCode::BadInput, say("bisect.too-large"), {}, {}};
        unit.freshOffset = *begin;
        arena.bytes = *end;
    }
    return parts;
}

/// Pairs whose bytes meet: by offset, a unit meets those that begin before it and have not ended.
std::int64_t countMeetings(const Parts& parts)
{
    std::int64_t pairs = 0;
    for (std::size_t arena = 0; arena < parts.arenas.size(); ++arena) {
        std::vector<std::int64_t> begins;
        std::vector<std::int64_t> ends;
        for (const Unit& unit : parts.units) {
            if (unit.arena.index() != arena || unit.bytes.empty()) continue;
            begins.push_back(unit.bytes.begin);
            ends.push_back(unit.bytes.end);
        }
        std::ranges::sort(begins);
        std::ranges::sort(ends);
        std::size_t ended = 0;
        for (std::size_t i = 0; i < begins.size(); ++i) {
            while (ends[ended] <= begins[i])
                ++ended;
            pairs += static_cast<std::int64_t>(i - ended);
        }
    }
    return pairs;
}

/// Among \p kept, those that meet an earlier one that keeps its place, too.
std::vector<std::size_t> meetingEarlier(const Parts& parts, const Kept& kept)
{
    std::vector<std::size_t> found;
    std::vector<LiveRanges> covered(parts.arenas.size()); // bytes instead of steps
    for (std::size_t i = 0; i < parts.units.size(); ++i) {
        const Unit& unit = parts.units[i];
        if (!kept[i] || unit.bytes.empty()) continue;
        if (overlaps(covered[unit.arena.index()], LiveRanges(unit.bytes))) found.push_back(i);
        covered[unit.arena.index()].add(unit.bytes);
    }
    return found;
}

/// The streams with the waits that are no longer missing.
StreamPlan streamsFor(const Parts& parts, const Kept& kept)
{
    StreamPlan streams = parts.program.streams;
    for (std::size_t i = 0; i < parts.waits.size(); ++i)
        if (!kept[parts.units.size() + i]) streams.events.push_back(parts.waits[i].event);
    std::ranges::stable_sort(streams.events, {},
                             [&](const StreamEvent& event) { return parts.program.schedule.stepOf(event.waiter); });
    return streams;
}

PlannedProgram programFor(const Parts& parts, const Kept& kept)
{
    PlannedProgram program = parts.program;
    program.streams = streamsFor(parts, kept);
    program.map.arenas = parts.arenas;
    std::erase_if(program.storages, [](const Storage& storage) { return storage.arena.valid(); });
    for (PlannedValue& value : program.values)
        value.storage = StorageId();
    for (std::size_t s = 0; s < program.storages.size(); ++s)
        for (const ValueId value : program.storages[s].values)
            program.values[value.index()].storage = StorageId(s);
    for (std::size_t i = 0; i < parts.units.size(); ++i) {
        const Unit& unit = parts.units[i];
        Interval bytes = unit.bytes;
        if (!kept[i]) bytes = {unit.freshOffset, unit.freshOffset + unit.bytes.length()};
        for (const ValueId value : unit.what.values) {
            ValuePlacement& place = program.map.values[value.index()];
            if (!kept[i])
                place = {unit.arena, bytes.begin + parts.aliases.offset[value.index()], roomOf(parts.program, value)};
            bytes.end = std::max(bytes.end, place.offset + place.bytes);
            program.values[value.index()].offset = place.offset;
            program.values[value.index()].storage = StorageId(program.storages.size());
        }
        if (unit.what.scratchOf.valid())
            std::ranges::find(program.map.scratch, unit.what.scratchOf, &ScratchPlacement::node)->where.offset =
                bytes.begin;
        program.storages.push_back(
            {unit.arena, bytes.begin, bytes.length(), unit.live, unit.what.values, unit.what.scratchOf});
    }
    return program;
}

void addOnce(std::vector<NodeId>& nodes, NodeId node)
{
    if (node.valid() && std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
}

void addMakers(std::vector<NodeId>& nodes, const Culprit::Side& side, const Graph& graph)
{
    addOnce(nodes, side.scratchOf);
    for (const ValueId value : side.values)
        addOnce(nodes, graph[value].producer);
}

/// Nodes of the top that read or write one of them, or use the scratchpad.
std::vector<NodeId> usersOf(const Culprit::Side& side, const StreamOrder& order,
                            const std::vector<std::vector<NodeId>>& users)
{
    std::vector<NodeId> nodes;
    if (side.scratchOf.valid()) nodes.push_back(order.topOf(side.scratchOf));
    for (const ValueId value : side.values)
        std::ranges::copy(users[value.index()], std::back_inserter(nodes));
    return nodes;
}

/// The event that would keep the later one from being written while the earlier one is used, where all of the one comes
/// before all of the other in the schedule, and one event is enough.
std::optional<StreamEvent> waitBetween(const Program& program, const StreamPlan& streams, const Culprit::Side& earlier,
                                       const Culprit::Side& later)
{
    if (!streams.several()) return std::nullopt;
    const StreamOrder order(*program.graph, program.schedule, streams);
    const std::vector<std::vector<NodeId>> users = findUsers(*program.graph, program.schedule);
    const std::vector<NodeId> others = usersOf(later, order, users);
    std::vector<StreamEvent> needed;
    for (const NodeId user : usersOf(earlier, order, users)) {
        for (const NodeId other : others) {
            if (program.schedule.stepOf(user) >= program.schedule.stepOf(other)) return std::nullopt;
            if (order.unordered(user, other)) needed.push_back({user, other});
        }
    }
    needed = fewestEvents(order, program.schedule, std::move(needed));
    return needed.size() == 1 ? std::optional(needed.front()) : std::nullopt;
}

/// Units that keep their places though the run is wrong, and how it is.
struct Wrong
{
    Kept kept;
    Mismatch mismatch;
};

class Halving
{
public:
    Halving(Parts parts, const Trial& trial, const Context& context)
        : m_parts(std::move(parts)), m_trial(trial), m_context(context)
    {
    }

    Result<Bisection> run()
    {
        m_found.sharings = countMeetings(m_parts);
        Kept kept(m_parts.units.size() + m_parts.waits.size(), true);
        for (;;) {
            PLIMSOLL_ASSIGN(mismatch, execute(kept));
            if (!mismatch) return std::move(m_found);
            Wrong wrong {kept, *mismatch};
            PLIMSOLL_ASSIGN(later, findLater(wrong));
            if (!later) {
                m_found.elsewhere = wrong.mismatch;
                return std::move(m_found);
            }
            if (*later >= m_parts.units.size()) {
                nameWait(std::move(wrong), m_parts.waits[*later - m_parts.units.size()]);
                kept[*later] = false;
                continue;
            }
            PLIMSOLL_ASSIGN(apart, nameCulprit(std::move(wrong), *later));
            kept[apart] = false;
        }
    }

private:
    Result<std::optional<Mismatch>> execute(const Kept& kept)
    {
        if (m_context.stopped()) return Error {ErrorCode::Stopped, say("stopped.bisect"), {}, {}};
        if (m_last && m_last->first == kept) return m_last->second;
        ++m_found.runs;
        PLIMSOLL_ASSIGN(mismatch, m_trial(programFor(m_parts, kept)));
        m_last = {kept, mismatch};
        return mismatch;
    }

    /// The smallest number, from \p least on, of \p candidates that must keep their places for a wrong run; the others
    /// get fresh bytes. \p wrong is with all of them, and becomes what is with so many.
    Result<std::size_t> fewestWrong(const std::vector<std::size_t>& candidates, std::size_t least, Wrong& wrong)
    {
        std::size_t most = candidates.size();
        while (least < most) {
            const std::size_t middle = least + (most - least) / 2;
            Kept kept = wrong.kept;
            for (std::size_t i = middle; i < most; ++i)
                kept[candidates[i]] = false;
            PLIMSOLL_ASSIGN(mismatch, execute(kept));
            if (mismatch) {
                most = middle;
                wrong = {std::move(kept), *std::move(mismatch)};
            } else {
                least = middle + 1;
            }
        }
        return most;
    }

    /// The last one that must keep its place, or be missing, for a wrong run; none where the run differs with all bytes
    /// apart and all waits.
    Result<std::optional<std::size_t>> findLater(Wrong& wrong)
    {
        std::vector<std::size_t> candidates = meetingEarlier(m_parts, wrong.kept);
        PLIMSOLL_ASSIGN(fewest, fewestWrong(candidates, 0, wrong));
        if (fewest == 0) { // nothing meets any more: something is wrong by itself, such as too few bytes
            candidates = stillKept(wrong.kept, {0, std::ssize(m_parts.units)});
            PLIMSOLL_SET(fewest, fewestWrong(candidates, 0, wrong));
        }
        if (fewest == 0) { // all lie apart: a stream does not wait for what it reads
            candidates = stillKept(wrong.kept, {std::ssize(m_parts.units), std::ssize(wrong.kept)});
            PLIMSOLL_SET(fewest, fewestWrong(candidates, 0, wrong));
        }
        return fewest == 0 ? std::nullopt : std::optional(candidates[fewest - 1]);
    }

    static std::vector<std::size_t> stillKept(const Kept& kept, Interval positions)
    {
        std::vector<std::size_t> found;
        for (auto i = static_cast<std::size_t>(positions.begin); i < static_cast<std::size_t>(positions.end); ++i)
            if (kept[i]) found.push_back(i);
        return found;
    }

    void nameWait(Wrong wrong, const MissingWait& missing)
    {
        const auto isIts = [&](const Unit& unit) {
            return std::ranges::find(unit.what.values, missing.value) != unit.what.values.end();
        };
        Culprit culprit {.later = {{missing.value}, {}}, .wait = missing.event};
        if (const auto unit = std::ranges::find_if(m_parts.units, isIts); unit != m_parts.units.end()) {
            culprit.later = unit->what;
            culprit.arena = unit->arena;
            culprit.bytes = unit->bytes;
        }
        const Program& program = m_parts.program;
        culprit.nodes = {missing.event.signal, missing.event.waiter};
        addOnce(culprit.nodes, findNode(*program.graph, wrong.mismatch.node));
        const std::int64_t last = std::max(program.schedule.stepOf(missing.event.waiter), wrong.mismatch.step);
        culprit.steps = {program.schedule.stepOf(missing.event.signal), last + 1};
        culprit.mismatch = std::move(wrong.mismatch);
        m_found.culprits.push_back(std::move(culprit));
    }

    /// What then gets fresh bytes.
    Result<std::size_t> nameCulprit(Wrong wrong, std::size_t later)
    {
        const Unit& spoils = m_parts.units[later];
        std::vector<std::size_t> met;
        for (std::size_t i = 0; i < later; ++i) {
            const Unit& unit = m_parts.units[i];
            if (wrong.kept[i] && unit.arena == spoils.arena && overlaps(unit.bytes, spoils.bytes)) met.push_back(i);
        }
        Culprit culprit {.later = spoils.what, .arena = spoils.arena, .bytes = spoils.bytes};
        const Graph& graph = *m_parts.program.graph;
        std::size_t apart = later;
        if (!met.empty()) {
            PLIMSOLL_ASSIGN(fewest, fewestWrong(met, 1, wrong));
            const std::size_t index = met[fewest - 1];
            const Unit& earlier = m_parts.units[index];
            if (!m_named.insert(index).second) apart = index; // it spoils more than one
            culprit.laterApart = apart == later;
            culprit.bytes = intersection(earlier.bytes, spoils.bytes);
            culprit.earlier = earlier.what;
            culprit.wait = waitBetween(m_parts.program, streamsFor(m_parts, wrong.kept), earlier.what, spoils.what);
            addMakers(culprit.nodes, earlier.what, graph);
        }
        addMakers(culprit.nodes, spoils.what, graph);
        addOnce(culprit.nodes, findNode(graph, wrong.mismatch.node));
        const std::int64_t begin = std::max<std::int64_t>(0, spoils.live.hull().begin);
        culprit.steps = {begin, std::max(begin, wrong.mismatch.step) + 1};
        culprit.mismatch = std::move(wrong.mismatch);
        m_named.insert(later);
        m_found.culprits.push_back(std::move(culprit));
        return apart;
    }

    Parts m_parts;
    const Trial& m_trial;
    const Context& m_context;
    std::optional<std::pair<Kept, std::optional<Mismatch>>> m_last; ///< What was executed last.
    std::set<std::size_t> m_named;                                  ///< Units that a culprit has.
    Bisection m_found;
};

} // namespace

Result<Bisection> bisect(const PlannedProgram& program, const Trial& trial, const Context& context)
{
    PLIMSOLL_ASSIGN(parts, partsOf(program));
    return Halving(std::move(parts), trial, context).run();
}

} // namespace plimsoll
