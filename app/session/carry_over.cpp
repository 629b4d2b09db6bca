#include "app/session/carry_over.h"

#include "core/base/narrow.h"
#include "core/facts/words/area_text.h"

#include <algorithm>

namespace plimsoll::app {
namespace {

/// Ids of a graph that did not change mean the same; otherwise the name decides.
template <typename Id, typename Thing>
Id sameNamed(Id id, const Graph& from, const Graph& to, SharedVector<Thing> Graph::*things,
             Id (*find)(const Graph& graph, std::string_view name))
{
    if (!id.valid() || id.index() >= (from.*things).size()) return {};
    const std::string& name = from[id].name;
    return id.index() < (to.*things).size() && to[id].name == name ? id : find(to, name);
}

ValueId sameValue(ValueId id, const Report& from, const Report& to)
{
    return sameNamed(id, *from.program.graph, *to.program.graph, &Graph::values, &findValue);
}

NodeId sameNode(NodeId id, const Report& from, const Report& to)
{
    return sameNamed(id, *from.program.graph, *to.program.graph, &Graph::nodes, &findNode);
}

StorageId sameStorage(StorageId id, const Report& from, const Report& to)
{
    if (!id.valid() || id.index() >= from.program.storages.size()) return {};
    const Storage& storage = from.program.storages[id.index()];
    if (!storage.values.empty()) {
        const ValueId value = sameValue(storage.values.front(), from, to);
        return value.valid() && value.index() < to.program.values.size() ? to.program.values[value.index()].storage
                                                                         : StorageId();
    }
    const NodeId node = sameNode(storage.scratchOf, from, to);
    if (!node.valid()) return {};
    const auto found = std::ranges::find(to.program.storages, node, &Storage::scratchOf);
    const auto position = static_cast<std::size_t>(found - to.program.storages.begin());
    return position < to.program.storages.size() ? StorageId(position) : StorageId();
}

/// The same addresses and steps, as far as there are such in the arena of that memory space.
PlanArea sameArea(const PlanArea& area, const Report& from, const Report& to)
{
    if (!area.valid()) return {};
    const std::string& space = from.program.map.arenas[area.arena.index()].space;
    const auto& arenas = to.program.map.arenas;
    const auto arena = std::ranges::find(arenas, space, &PlannedArena::space);
    if (arena == arenas.end()) return {};
    const Interval steps = intersection(area.steps, {0, to.program.schedule.length()});
    if (!area.steps.empty() && steps.empty()) return {};
    return {ArenaId(static_cast<std::size_t>(arena - arenas.begin())), intersection(area.bytes, {0, arena->bytes}),
            steps};
}

template <typename Thing, typename Same>
std::int32_t positionOfSame(std::int32_t position, const std::vector<Thing>& from, const std::vector<Thing>& to,
                            Same same)
{
    const auto index = static_cast<std::size_t>(position);
    if (position < 0 || index >= from.size()) return -1;
    const auto found = std::ranges::find_if(to, [&](const Thing& other) { return same(from[index], other); });
    return found == to.end() ? -1 : narrow<std::int32_t>(found - to.begin());
}

} // namespace

Focus carryOver(const Focus& focus, const Report& from, const Report& to)
{
    const auto sameFinding = [&](const Finding& here, const Finding& there) {
        return there.rule == here.rule && std::ranges::equal(there.values, here.values, [&](ValueId b, ValueId a) {
                   return b == sameValue(a, from, to);
               });
    };
    const auto sameHole = [](const Hole& here, const Hole& there) { // holes have no names
        return there.arena == here.arena && there.steps == here.steps && there.bytes == here.bytes;
    };
    Focus carried {.node = sameNode(focus.node, from, to),
                   .value = sameValue(focus.value, from, to),
                   .storage = sameStorage(focus.storage, from, to),
                   .finding = positionOfSame(focus.finding, from.verdict.findings, to.verdict.findings, sameFinding),
                   .hole = positionOfSame(focus.hole, from.memory.holes, to.memory.holes, sameHole),
                   .area = sameArea(focus.area, from, to),
                   .step = std::min(focus.step, to.program.schedule.length() - 1)};
    const auto stepsIn = [](const Report& report, NodeId node) { return report.program.schedule.nodes[node.index()]; };
    if (carried.node.valid() && stepsIn(from, focus.node).contains(focus.step)) { // the cursor goes with its node
        const Interval steps = stepsIn(to, carried.node);
        if (!steps.empty()) carried.step = steps.begin;
    }
    if (carried.onThing()) { // where in it was pointed at says nothing where it lies elsewhere now
        const PlanArea place = areaOf(to, carried);
        if (place.arena != carried.area.arena || !overlaps(place.bytes, carried.area.bytes)) carried.area = {};
    }
    return carried;
}

} // namespace plimsoll::app
