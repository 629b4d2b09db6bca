#include "core/pipeline/stages.h"

#include "core/base/bytes.h"
#include "core/ops/op_traits.h"
#include "core/placement/placement.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace plimsoll::pipeline {
namespace {

Error bad(Message message, std::string where)
{
    return {ErrorCode::BadInput, std::move(message), std::move(where), {}};
}

/// What the names of a plan mean, and the memory map that is made of them.
struct NameResolver
{
    const Subject& subject;
    const PlanFile& given;
    const NodeId firstAdded;
    std::unordered_map<std::string_view, ValueId> values {};
    std::unordered_map<std::string_view, NodeId> nodes {};
    MemoryMap map {};
};

Error noSuch(std::string_view kind, const std::string& name, const std::string& where)
{
    return bad(say("plan.no-such", std::string(kind), word::Name {name}, say("plan.other-graph")), where);
}

/// Views of the caller's bytes are there whatever the plan says; under outputs=external so are the outputs.
void hostByDeclaration(NameResolver& by)
{
    const Graph& graph = by.subject.graph;
    for (std::size_t index = 0; index < graph.values.size(); ++index) {
        const ValueId root = by.subject.facts.aliases.root[index];
        ValuePlacement& place = by.map.values[index];
        const bool brought = graph[root].role == ValueRole::Intermediate && by.subject.facts.isOutput[root.index()];
        const bool external = by.subject.facts.residence[index] == Residence::External;
        if (place.placed() || place.host.valid() || !external || (root == ValueId(index) && !brought)) continue;
        place = {{},
                 by.subject.facts.aliases.offset[index],
                 std::max<std::int64_t>(0, by.subject.facts.requiredBytes[index]),
                 root};
    }
}

Status takeGuest(NameResolver& by, const PlanFile::Entry& entry, const std::string& where)
{
    const auto value = by.values.find(entry.value);
    const auto host = by.values.find(entry.host);
    if (value == by.values.end() || host == by.values.end())
        return noSuch("value", value == by.values.end() ? entry.value : entry.host, where);
    ValuePlacement& place = by.map.values[value->second.index()];
    if (place.placed() || place.host.valid()) return bad(say("plan.placed-twice", word::Name {entry.value}), where);
    const bool brought = value->second == host->second && by.subject.facts.isOutput[value->second.index()];
    const bool external = brought || by.subject.facts.residence[host->second.index()] == Residence::External;
    const std::int64_t room = by.subject.facts.requiredBytes[host->second.index()];
    const auto end = checkedAdd(entry.offset, entry.bytes);
    if (!external || entry.offset < 0 || entry.bytes < 0 || !end || *end > room) {
        return bad(say("plan.no-host", word::Name {entry.value}, word::Name {entry.host}), where);
    }
    place = {{}, entry.offset, entry.bytes, host->second};
    return {};
}

Status takeScratch(NameResolver& by, const std::string& name, const ValuePlacement& place, const std::string& where)
{
    const bool scratch = name.starts_with(ScratchPrefix);
    const auto node = scratch ? by.nodes.find(name.substr(ScratchPrefix.size())) : by.nodes.end();
    if (node == by.nodes.end()) return noSuch(scratch ? "node for" : "value", name, where);
    for (const ScratchPlacement& other : by.map.scratch) {
        if (other.node == node->second) return bad(say("plan.placed-twice", word::Name {name}), where);
    }
    by.map.scratch.push_back({node->second, place});
    return {};
}

Status takeEntry(NameResolver& by, const PlanFile::Entry& entry, const std::string& where)
{
    if (!entry.host.empty()) return takeGuest(by, entry, where);
    if (!entry.arena.valid() || entry.arena.index() >= by.map.arenas.size()) {
        return bad(say("plan.no-arena", word::Name {entry.value}, word::Number {entry.arena.number()}), where);
    }
    // Differences and sums of places fit in 63 bits then: 2^61 bytes.
    constexpr std::int64_t Far = std::numeric_limits<std::int64_t>::max() / 4;
    if (entry.bytes < 0 || entry.bytes > Far || entry.offset < -Far || entry.offset > Far) {
        return bad(say("plan.no-end", word::Name {entry.value}), where);
    }
    const ValuePlacement place {entry.arena, entry.offset, entry.bytes};
    if (const auto value = by.values.find(entry.value); value != by.values.end()) {
        if (by.map.values[value->second.index()].placed())
            return bad(say("plan.placed-twice", word::Name {entry.value}), where);
        by.map.values[value->second.index()] = place;
        return {};
    }
    return takeScratch(by, entry.value, place, where);
}

/// Whether the plan lacks a place for something the node reads or makes: the judge says so.
bool lacksPlace(const NameResolver& by, const Node& node)
{
    const auto lacking = [&](ValueId value) {
        if (!value.valid()) return false;
        const ValuePlacement& place = by.map.values[value.index()];
        return by.subject.facts.residence[value.index()] == Residence::Planned && !place.placed() &&
               !place.host.valid() && by.subject.facts.requiredBytes[value.index()] > 0;
    };
    return std::any_of(node.inputs.begin(), node.inputs.end(), lacking) ||
           std::any_of(node.outputs.begin(), node.outputs.end(), lacking);
}

/// What implementations added runs where it is needed, what makes nothing (that a graph is retained) runs anywhere, and
/// what only this call takes apart has no place in the plan; all else must be named.
Status checkComplete(const NameResolver& by)
{
    if (!by.given.steps) return {};
    const std::unordered_set<std::string_view> named(by.given.steps->begin(), by.given.steps->end());
    for (const Step& step : by.subject.program.schedule.steps) {
        if (step.kind != StepKind::Node && step.kind != StepKind::Enter) continue;
        const Node& node = by.subject.graph[step.node];
        if (step.node >= by.firstAdded || node.outputs.empty() || named.contains(node.name) || lacksPlace(by, node))
            continue;
        return bad(say("plan.not-run", word::Name {node.name}, say("plan.other-graph")), "steps");
    }
    return {};
}

Result<MemoryMap> resolve(NameResolver by)
{
    const Graph& graph = by.subject.graph;
    const Policies& policies = by.subject.program.policies;
    for (std::size_t value = 0; value < graph.values.size(); ++value)
        by.values.emplace(graph.values[value].name, ValueId(value));
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        by.nodes.emplace(graph.nodes[node].name, NodeId(node));
    by.map.arenas = by.given.arenas;
    by.map.values.resize(graph.values.size());
    for (PlannedArena& arena : by.map.arenas) {
        if (arena.alignment < 1 || arena.bytes < 0)
            return bad(say("plan.bad-arena", word::Name {arena.space}), "arenas");
        const auto capacity = policies.capacity.find(arena.space);
        if (!arena.capacityBytes && capacity != policies.capacity.end()) arena.capacityBytes = capacity->second;
    }
    for (std::size_t index = 0; index < by.given.entries.size(); ++index) {
        PLIMSOLL_TRY(takeEntry(by, by.given.entries[index], "allocations[" + std::to_string(index) + "]"));
    }
    hostByDeclaration(by);
    for (std::size_t index = 0; index < by.given.fused.size(); ++index) { // what a node hands on inside has no bytes
        const std::string& name = by.given.fused[index];
        const std::string where = "fused[" + std::to_string(index) + "]";
        const auto value = by.values.find(name);
        if (value == by.values.end()) return noSuch("value", name, where);
        const ValuePlacement& place = by.map.values[value->second.index()];
        if (graph[value->second].role != ValueRole::Intermediate)
            return bad(say("plan.fused-input", word::Name {name}), where);
        if (place.placed() || place.host.valid()) return bad(say("plan.fused-placed", word::Name {name}), where);
    }
    PLIMSOLL_TRY(checkComplete(by));
    return std::move(by.map);
}

/// Finds out which values of a plan are meant to share: those that some node (or loop) hands on to each other and that
/// meet in bytes and in time. Others at the same bytes reuse them, or clash.
struct Grouping
{
    const Subject& subject;
    PlacedGraph& placed;
    std::vector<std::size_t> group {}; ///< By ValueId: union-find.
};

std::size_t find(Grouping& by, std::size_t value)
{
    while (by.group[value] != value)
        value = by.group[value] = by.group[by.group[value]];
    return value;
}

void relate(Grouping& by, ValueId earlier, ValueId later, AliasKind kind)
{
    if (!earlier.valid() || !later.valid() || earlier == later) return;
    const ValuePlacement& a = by.placed.map.values[earlier.index()];
    const ValuePlacement& b = by.placed.map.values[later.index()];
    const bool known =
        a.placed() || a.host.valid() || by.subject.facts.residence[earlier.index()] == Residence::External;
    const ValueId host = a.host.valid() || a.placed() ? a.host : earlier;
    if (!known || a.arena != b.arena || host != b.host) return;
    if (!overlaps(Interval {a.offset, a.offset + a.bytes}, Interval {b.offset, b.offset + b.bytes})) return;
    if (!overlaps(by.subject.facts.live[earlier.index()], by.subject.facts.live[later.index()])) return;
    by.placed.sharedAs[later.index()] = kind;
    by.group[find(by, later.index())] = find(by, earlier.index());
}

/// Only where the part lies in its place.
void relatePart(Grouping& by, ValueId input, ValueId output, const SubBuffer& part)
{
    const std::int64_t shift = part.inputIsPart ? -part.offsetBytes : part.offsetBytes;
    const ValuePlacement& from = by.placed.map.values[input.index()];
    const ValuePlacement& to = by.placed.map.values[output.index()];
    if (from.placed() && to.placed() && from.offset + shift == to.offset) relate(by, input, output, AliasKind::Part);
}

void relateNode(Grouping& by, NodeId id)
{
    const Node& node = by.subject.graph[id];
    for (const AliasTrait& trait : by.subject.facts.traits[id]) {
        relate(by, valueAt(node.inputs, trait.input), valueAt(node.outputs, trait.output), trait.kind);
    }
    for (const SubBuffer& part : by.subject.facts.traits.parts(id))
        relatePart(by, valueAt(node.inputs, part.input), valueAt(node.outputs, part.output), part);
    for (const BodyId body : node.bodies) {
        for (const BodyLink& link : bodyLinks(by.subject.graph, id, body)) {
            const ValueId in = valueAt(by.subject.graph[body].inputs, link.bodyInput);
            const ValueId out = valueAt(by.subject.graph[body].outputs, link.bodyOutput);
            relate(by, valueAt(node.inputs, link.ownerInput), in, AliasKind::Identity);
            relate(by, in, out, AliasKind::Identity);
            relate(by, in, valueAt(node.outputs, link.ownerOutput), AliasKind::Identity);
            relate(by, out, valueAt(node.outputs, link.ownerOutput), AliasKind::Identity);
        }
    }
}

void group(Grouping by)
{
    const Graph& graph = by.subject.graph;
    by.group.resize(graph.values.size());
    std::iota(by.group.begin(), by.group.end(), std::size_t {0});
    by.placed.sharedAs.assign(by.group.size(), AliasKind::Fresh);
    for (std::size_t value = 0; value < by.group.size(); ++value) {
        const ValueId source = by.subject.facts.aliases.source[value];
        if (source.valid()) relate(by, source, ValueId(value), by.subject.facts.aliases.kind[value]);
    }
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
        if (!by.subject.program.schedule.nodes[index].empty()) relateNode(by, NodeId(index));
    }
    std::vector<StorageId> ids(by.group.size());
    by.placed.storageOf.assign(by.group.size(), StorageId());
    for (std::size_t index = 0; index < by.group.size(); ++index) {
        const ValuePlacement& place = by.placed.map.values[index];
        const bool external = by.subject.facts.residence[index] == Residence::External;
        const bool stated = place.placed() || place.host.valid();
        if (!stated && !external) continue;
        // What is in the caller's bytes stays with them.
        const std::size_t host = place.host.valid() ? place.host.index() : index;
        StorageId& id = ids[place.placed() ? find(by, index) : host];
        if (!id.valid()) {
            id = StorageId(by.placed.storages.size());
            by.placed.storages.push_back({place.arena, place.offset, 0, {}, {}, {}});
        }
        by.placed.storageOf[index] = id;
        Storage& storage = by.placed.storages[id.index()];
        const std::int64_t own = stated ? place.offset + place.bytes : by.subject.facts.requiredBytes[index];
        const std::int64_t end = std::max(storage.offset + storage.bytes, own);
        if (place.placed()) storage.offset = std::min(storage.offset, place.offset);
        storage.bytes = end - storage.offset;
        storage.values.emplace_back(index);
        storage.live.add(by.subject.facts.live[index]);
    }
}

Status addScratchAndProblem(const Subject& subject, PlacedGraph& placed)
{
    for (const ScratchPlacement& scratch : placed.map.scratch) {
        const ValuePlacement& where = scratch.where;
        const LiveRanges live(subject.program.schedule.nodes[scratch.node.index()]);
        placed.storages.push_back({where.arena, where.offset, where.bytes, live, {}, scratch.node});
    }
    std::optional<std::int64_t> stated = 0;
    for (const PlannedArena& arena : placed.map.arenas) {
        placed.problem.arenas.push_back({arena.space, arena.alignment, arena.capacityBytes});
        placed.heights.push_back(arena.bytes); // used or not
        stated = stated ? checkedAdd(*stated, arena.bytes) : stated;
    }
    if (!stated) return bad(say("plan.large-arenas"), "arenas");
    for (const Storage& storage : placed.storages) {
        if (!storage.arena.valid()) continue;
        const Arena& arena = placed.problem.arenas[storage.arena.index()];
        placed.problem.buffers.push_back({storage.bytes, storage.live, 1, storage.arena, {}, {}});
        const auto end = checkedAlignUp(std::max<std::int64_t>(0, storage.offset + storage.bytes), arena.alignment);
        if (!end) return bad(say("plan.beyond-arenas"), "arena of '" + arena.space + "'");
        std::int64_t& height = placed.heights[storage.arena.index()];
        height = std::max(height, *end);
    }
    for (std::size_t arena = 0; arena < placed.map.arenas.size(); ++arena)
        addReserved(placed.problem, ArenaId(arena), placed.map.arenas[arena].reserved,
                    subject.program.schedule.length());
    return checkSizes(subject.graph, placed);
}

} // namespace

Result<PlacedGraph> takePlacement(const Subject& subject, const PlanFile& given, NodeId firstAdded)
{
    PlacedGraph placed;
    Result<MemoryMap> map = resolve({subject, given, firstAdded});
    Status done = map.ok() ? Status() : map.error();
    if (done.ok()) {
        placed.map = std::move(map).value();
        group({subject, placed});
        done = addScratchAndProblem(subject, placed);
    }
    if (done.ok()) return placed;
    Error error = done.error();
    error.file = given.file;
    return error;
}

} // namespace plimsoll::pipeline
