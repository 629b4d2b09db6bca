#include "core/facts/about/byte_uses.h"

#include "core/ops/op_traits.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

PlanArea placeOf(const Storage& storage)
{
    return {storage.arena, {storage.offset, storage.offset + storage.bytes}};
}

/// No area of what has no bytes in an arena.
PlanArea placeOf(const PlannedProgram& program, ValueId value)
{
    const PlannedValue& planned = program.values[value.index()];
    if (!planned.storage.valid()) return {};
    const ArenaId arena = program.storages[planned.storage.index()].arena;
    return {arena, {planned.offset, planned.offset + planned.requiredBytes}};
}

bool inSteps(const PlanArea& area, const LiveRanges& live)
{
    const auto meets = [&](Interval steps) { return overlaps(steps, area.steps); };
    return area.steps.empty() || std::ranges::any_of(live.intervals(), meets);
}

bool meets(const PlanArea& area, const PlanArea& place)
{
    return place.valid() && place.arena == area.arena && overlaps(place.bytes, area.bytes);
}

/// Whether a result is bytes of an input under another name: nothing is written to make it.
bool isHandedOn(const PlannedProgram& program, ValueId output)
{
    const PlannedValue& planned = program.values[output.index()];
    const bool renames = planned.sharedAs == AliasKind::Identity || planned.sharedAs == AliasKind::View ||
                         planned.sharedAs == AliasKind::Part;
    return planned.shared && renames;
}

/// The bytes of the area that a node has to fill to make an output: all of it, or what no input lies in already.
bool writes(const PlannedProgram& program, const Node& node, ValueId output, const PlanArea& area)
{
    const PlanArea place = placeOf(program, output);
    if (!meets(area, place)) return false;
    if (!isHandedOn(program, output)) return true;
    Interval open = intersection(place.bytes, area.bytes); // operands of Concat lie one behind the other
    std::vector<Interval> there;
    for (const ValueId input : node.inputs) {
        if (input.valid() && meets(area, placeOf(program, input))) there.push_back(placeOf(program, input).bytes);
    }
    std::ranges::sort(there, {}, &Interval::begin);
    for (const Interval& bytes : there) {
        if (bytes.begin <= open.begin) open.begin = std::max(open.begin, bytes.end);
    }
    return !open.empty();
}

/// Whether a node looks at an input, and does not only hand its bytes on.
bool reads(const Graph& graph, const PlannedProgram& program, NodeId id, std::size_t input)
{
    const PlanArea place = placeOf(program, graph[id].inputs[input]);
    const bool handedOn = std::ranges::any_of(graph[id].outputs, [&](ValueId output) {
        if (!output.valid() || !isHandedOn(program, output)) return false;
        return meets(place, placeOf(program, output));
    });
    return !handedOn && readsContent(graph, id, static_cast<int>(input));
}

void addUses(const PlannedProgram& program, NodeId id, const PlanArea& area, std::vector<ByteUse>& uses)
{
    const Graph& graph = *program.graph;
    const Node& node = graph[id];
    const DecidedNode& decided = graph.decided[id];
    const bool runs = !program.schedule.nodes[id.index()].empty() && !decided.ahead && !decided.fusedInto.valid();
    if (!runs || !computes(graph, id)) return;
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
        const PlanArea place = node.inputs[input].valid() ? placeOf(program, node.inputs[input]) : PlanArea();
        if (meets(area, place) && reads(graph, program, id, input))
            uses.push_back({program.schedule.stepOf(id), id, place.bytes, false});
    }
    for (const ValueId output : node.outputs) {
        if (output.valid() && writes(program, node, output, area))
            uses.push_back({program.schedule.exitStep(id), id, placeOf(program, output).bytes, true});
    }
}

} // namespace

std::vector<StorageId> storagesIn(const Report& report, const PlanArea& area)
{
    std::vector<StorageId> found;
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        if (meets(area, placeOf(storage)) && inSteps(area, storage.live)) found.emplace_back(i);
    }
    return found;
}

std::vector<ValueId> valuesIn(const Report& report, const PlanArea& area)
{
    std::vector<ValueId> found;
    for (const StorageId id : storagesIn(report, area)) {
        for (const ValueId value : report.program.storages[id.index()].values) {
            const bool there = meets(area, placeOf(report.program, value));
            if (there && inSteps(area, report.program.values[value.index()].live)) found.push_back(value);
        }
    }
    return found;
}

std::vector<Tenant> tenantsOf(const Report& report, const PlanArea& area)
{
    std::vector<Tenant> tenants;
    std::vector<bool> filled(report.program.storages.size());
    for (const ValueId value : valuesIn(report, area)) {
        const PlannedValue& planned = report.program.values[value.index()];
        tenants.push_back({planned.storage, value, placeOf(report.program, value).bytes, planned.live});
        filled[planned.storage.index()] = true;
    }
    for (const StorageId id : storagesIn(report, area)) {
        const Storage& storage = report.program.storages[id.index()];
        if (!filled[id.index()]) tenants.push_back({id, {}, placeOf(storage).bytes, storage.live});
    }
    std::ranges::stable_sort(tenants, {}, [](const Tenant& tenant) { return tenant.live.hull().begin; });
    return tenants;
}

std::vector<ByteUse> usesOf(const Report& report, const PlanArea& area)
{
    std::vector<ByteUse> uses;
    for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node)
        addUses(report.program, NodeId(node), area, uses);
    for (const Storage& storage : report.program.storages) {
        if (!storage.scratchOf.valid() || !meets(area, placeOf(storage))) continue;
        const std::int64_t step = report.program.schedule.stepOf(storage.scratchOf);
        uses.push_back({step, storage.scratchOf, placeOf(storage).bytes, true});
    }
    if (!area.steps.empty()) std::erase_if(uses, [&](const ByteUse& use) { return !area.steps.contains(use.step); });
    std::ranges::stable_sort(uses, {}, [](const ByteUse& use) { return std::pair(use.step, use.writes); });
    return uses;
}

AreaSums sumsOf(const Report& report, const PlanArea& area)
{
    std::map<std::int64_t, std::int64_t> changes; // of the live bytes, by step
    std::vector<Interval> used;
    for (const StorageId id : storagesIn(report, area)) {
        const Storage& storage = report.program.storages[id.index()];
        const Interval bytes = intersection(placeOf(storage).bytes, area.bytes);
        used.push_back(bytes);
        for (const Interval& live : storage.live.intervals()) {
            const Interval steps = area.steps.empty() ? live : intersection(live, area.steps);
            if (steps.empty()) continue;
            changes[steps.begin] += bytes.length();
            changes[steps.end] -= bytes.length();
        }
    }
    AreaSums sums;
    std::int64_t alive = 0;
    for (const auto& [step, change] : changes) {
        alive += change;
        if (alive <= sums.mostBytes) continue;
        sums.mostBytes = alive;
        sums.mostStep = step;
    }
    std::ranges::sort(used, {}, &Interval::begin);
    std::int64_t end = area.bytes.begin;
    for (const Interval& bytes : used) {
        sums.usedBytes += std::max<std::int64_t>(0, bytes.end - std::max(end, bytes.begin));
        end = std::max(end, bytes.end);
    }
    return sums;
}

} // namespace plimsoll
