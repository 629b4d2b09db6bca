#include "core/verify/checks.h"

#include "core/base/bytes.h"
#include "core/base/narrow.h"
#include "core/graph/value_strides.h"
#include "core/ops/reorder_node.h"
#include "core/verify/joins.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <limits>

namespace plimsoll::verifying {
namespace {

/// Looking for the neighbour of an undersized value costs a pass over all values.
constexpr int MostNeighbourSearches = 1'000;

/// Less than a page at the end of an arena is rounding.
constexpr std::int64_t LeastSlack = 4'096;

std::int64_t endOf(std::int64_t offset, std::int64_t bytes)
{
    if (offset < 0 || bytes < 0) return offset + std::max<std::int64_t>(bytes, 0);
    return checkedAdd(offset, bytes).value_or(std::numeric_limits<std::int64_t>::max());
}

/// What placements are checked against, and what is found.
struct PlacementChecks
{
    const PlanFacts& facts;
    const Graph& graph;
    const Walk& walk;
    std::vector<Finding>& findings;
    int searches = 0;
};

const PlannedArena& arenaOf(const PlacementChecks& on, ArenaId arena)
{
    return on.facts.map.arenas[arena.index()];
}

Finding about(const PlacementChecks& on, Rule rule, const Party& party, const ValuePlacement& where)
{
    Finding finding;
    finding.rule = rule;
    NodeId node = party.scratchOf;
    if (party.value.valid()) {
        finding.values.push_back(party.value);
        finding.steps = stepsInUse(on.facts, on.walk, party.value);
        const Value& v = on.graph[party.value];
        node = v.role == ValueRole::BodyInput ? on.graph[v.body].owner : v.producer;
    } else {
        finding.steps = on.facts.program.schedule.nodes[node.index()];
    }
    if (node.valid()) finding.nodes.push_back(node);
    finding.arena = where.arena;
    finding.bytes = {where.offset, endOf(where.offset, where.bytes)};
    return finding;
}

/// The alignment of an arena holds where a storage begins; what goes on in the bytes of another value lies where that
/// one does. What a node writes must suit its implementation wherever it lies.
void checkAlignment(PlacementChecks& on, const Party& party, const ValuePlacement& where)
{
    const AliasKind made = party.value.valid() ? on.walk.madeAs[party.value.index()] : AliasKind::Fresh;
    const bool isWritten = made != AliasKind::View && made != AliasKind::Identity;
    const auto misses = [&](std::int64_t alignment) { return alignment > 1 && where.offset % alignment != 0; };
    const std::int64_t own = arenaOf(on, where.arena).alignment;
    const NodeId maker = party.value.valid() ? on.graph[party.value].producer : party.scratchOf;
    const std::int64_t demanded = maker.valid() ? on.facts.program.implementations[maker].alignment : 1;
    const bool goesOn = made != AliasKind::Fresh ||
                        (party.value.valid() && maker.valid() && isNewVersion(on.facts, maker, party.value, nullptr));
    const bool offGrid = !goesOn && misses(own);
    if (!offGrid && !(isWritten && misses(demanded))) return;
    const std::int64_t alignment = offGrid ? own : demanded;
    Finding finding = about(on, Rule::Misaligned, party, where);
    finding.message =
        say("misaligned", nameOf(on.graph, party), place(on.facts.map, where.arena, finding.bytes), finding.steps,
            where.offset,
            offGrid ? say("misaligned.arena", alignment)
                    : say("misaligned.implementation", alignment, nameOf(on.graph, finding.nodes.front())));
    finding.fix = say("fix.align", alignment);
    on.findings.push_back(std::move(finding));
}

void checkWhere(PlacementChecks& on, const Party& party, const ValuePlacement& where)
{
    if (!where.placed()) return;
    Finding finding = about(on, Rule::BeyondCapacity, party, where);
    if (where.arena.index() >= on.facts.map.arenas.size()) {
        finding.message = say("beyond-capacity.no-arena", nameOf(on.graph, party), word::Number {where.arena.number()},
                              on.facts.map.arenas.size());
        finding.fix = say("fix.declared-arena");
        on.findings.push_back(std::move(finding));
        return;
    }
    const PlannedArena& arena = arenaOf(on, where.arena);
    if (where.offset < 0) {
        finding.message = say("beyond-capacity.below", nameOf(on.graph, party), where.offset,
                              word::Number {where.arena.number()}, finding.steps);
        finding.fix = say("fix.offset");
        on.findings.push_back(finding);
    } else if (finding.bytes.end > arena.bytes) {
        finding.message =
            say("beyond-capacity.outside", nameOf(on.graph, party), place(on.facts.map, where.arena, finding.bytes),
                finding.steps, arena.bytes, word::Number {where.arena.number()});
        // Before its first byte nothing can be reserved.
        finding.fix = where.offset >= 0 ? say("fix.inside-or-reserve", finding.bytes.end) : say("fix.inside");
        on.findings.push_back(finding);
    }
    checkAlignment(on, party, where);
}

/// What lies in bytes that were meant for \p value while it is in use: the first by id, or none.
ValueId neighbourIn(PlacementChecks& on, ValueId value, ArenaId arena, Interval bytes)
{
    if (++on.searches > MostNeighbourSearches) return {};
    const Interval steps = stepsInUse(on.facts, on.walk, value);
    for (std::size_t i = 0; i < on.facts.values.size(); ++i) {
        const PlaceFacts& other = on.facts.values[i];
        if (ValueId(i) == value || !other.walkable || other.arena != arena || !overlaps(other.write, bytes)) continue;
        if (overlaps(stepsInUse(on.facts, on.walk, ValueId(i)), steps)) return ValueId(i);
    }
    return {};
}

void checkSize(PlacementChecks& on, ValueId value, const ValuePlacement& where)
{
    // A strided view lies in bytes that are another's to reserve: a plan may count its elements, or what is between.
    const std::int64_t span = on.facts[value].requiredBytes;
    const Value& info = on.graph[value];
    const std::int64_t required = isStrided(info) ? std::min(span, info.type.bytes().value_or(span)) : span;
    if (where.bytes >= required) return;
    Finding finding = about(on, Rule::Undersized, {value, {}}, where);
    finding.bytes = {endOf(where.offset, where.bytes), endOf(where.offset, required)};
    const ValueId neighbour = neighbourIn(on, value, where.arena, finding.bytes);
    const NodeId writer = finding.nodes.empty() ? NodeId() : finding.nodes.front();
    finding.message = say("undersized", nameOf(on.graph, value), where.bytes, required, finding.steps,
                          place(on.facts.map, where.arena, finding.bytes),
                          writer.valid() ? say("undersized.writer", nameOf(on.graph, writer)) : Message(),
                          neighbour.valid() ? say("undersized.neighbour", nameOf(on.graph, neighbour)) : Message());
    if (neighbour.valid()) finding.values.push_back(neighbour);
    finding.fix = say("fix.reserve-for", required, nameOf(on.graph, value));
    on.findings.push_back(std::move(finding));
}

/// What the graph itself asks of the place of a value.
void checkDemands(PlacementChecks& on, ValueId value, const ValuePlacement& where)
{
    const Value& v = on.graph[value];
    if (v.at->alignment > 1 && where.offset % v.at->alignment != 0) {
        Finding finding = about(on, Rule::Misaligned, {value, {}}, where);
        finding.message = say("misaligned.own", nameOf(on.graph, value),
                              place(on.facts.map, where.arena, finding.bytes), where.offset, v.at->alignment);
        finding.fix = say("fix.align", v.at->alignment);
        on.findings.push_back(std::move(finding));
    }
    if (!v.at->pinnedOffset || where.offset == *v.at->pinnedOffset) return;
    Finding finding = about(on, Rule::Moved, {value, {}}, where);
    finding.message =
        say("moved", nameOf(on.graph, value), place(on.facts.map, where.arena, finding.bytes), *v.at->pinnedOffset);
    finding.fix = say("fix.put-at", *v.at->pinnedOffset);
    on.findings.push_back(std::move(finding));
}

/// Of the result of a reorder that a given plan does not know of: its reader meets the bytes as they were written.
Finding readAsWritten(const PlacementChecks& on, ValueId value)
{
    const ValueId source = on.graph[on.graph[value].producer].inputs.front();
    const std::string_view written = writtenLayout(on.facts.program, on.graph[source]);
    Finding finding = about(on, Rule::PaddingVisible, {source, {}}, on.facts.map.values[source.index()]);
    for (std::size_t node = 0; node < on.graph.nodes.size(); ++node) {
        const ValueIds& inputs = on.graph.nodes[node].inputs;
        const auto found = std::ranges::find(inputs, value);
        if (found == inputs.end()) continue;
        finding.nodes.insert(finding.nodes.begin(), NodeId(node));
        finding.steps = on.facts.program.schedule.nodes[node];
        const std::string_view read =
            inputLayout(on.facts.program.implementations[NodeId(node)], narrow<int>(found - inputs.begin()));
        finding.message = say("padding-visible", nameOf(on.graph, NodeId(node)), nameOf(on.graph, source), read,
                              finding.steps, written);
        finding.fix = say("fix.reorder");
        return finding;
    }
    finding.message = say("padding-visible.output", nameOf(on.graph, source), Argument(say("the-caller")), written);
    finding.fix = say("fix.reorder-behind", nameOf(on.graph, on.graph[source].producer));
    return finding;
}

void checkValue(PlacementChecks& on, ValueId value)
{
    const PlaceFacts& facts = on.facts[value];
    const auto& placements = on.facts.map.values;
    if (value.index() < placements.size() && placements[value.index()].placed()) {
        const ValuePlacement& where = placements[value.index()];
        if (where.bytes == 0 && facts.requiredBytes <= 0) return;
        checkSize(on, value, where);
        checkWhere(on, {value, {}}, where);
        checkDemands(on, value, where);
        return;
    }
    if (facts.walkable && !facts.external) { // in a host, which has an end; of its own it brings as much as is needed
        const PlaceFacts& host = on.facts[placements[value.index()].host];
        if (facts.brought || facts.write.end <= std::max<std::int64_t>(0, host.requiredBytes)) return;
        Finding finding = about(on, Rule::BeyondCapacity, {value, {}}, placements[value.index()]);
        finding.message = say("beyond-capacity.guest", nameOf(on.graph, value), facts.write.end,
                              nameOf(on.graph, placements[value.index()].host), host.requiredBytes);
        finding.fix = say("fix.own-bytes", nameOf(on.graph, value));
        on.findings.push_back(std::move(finding));
        return;
    }
    const bool needsPlace = !facts.external && !facts.aliasesCaller && facts.requiredBytes > 0;
    if (!needsPlace || on.walk.touched[value.index()].empty()) return;
    const NodeId producer = on.graph[value].producer;
    if (producer.valid() && isReorder(on.graph[producer]) && !on.graph.decided[producer].ahead) {
        on.findings.push_back(readAsWritten(on, value));
        return;
    }
    Finding finding = about(on, Rule::MissingAllocation, {value, {}}, {});
    finding.bytes = {};
    finding.message = say("missing-allocation", nameOf(on.graph, value), facts.requiredBytes, finding.steps);
    finding.fix = say("fix.give-bytes", facts.requiredBytes);
    on.findings.push_back(std::move(finding));
}

void checkMissingScratch(PlacementChecks& on)
{
    for (const Step& step : on.facts.program.schedule.steps) {
        if (step.kind != StepKind::Node && step.kind != StepKind::Enter) continue;
        const std::int64_t required = on.facts.program.implementations[step.node].scratchpadBytes;
        if (required <= 0 || !on.facts.scratchOf[step.node.index()].empty()) continue;
        Finding finding = about(on, Rule::MissingAllocation, {ValueId(), step.node}, {});
        finding.bytes = {};
        finding.message = say("missing-allocation.scratchpad", nameOf(on.graph, step.node), required, finding.steps);
        finding.fix = on.facts.program.policies.backend == BackendPolicy::Captured
                          ? say("fix.give-scratchpad", required)
                          : say("fix.give-scratchpad-or-captured", required, Remedy::policy("backend", "captured"));
        on.findings.push_back(std::move(finding));
    }
}

/// A plan keeps its own alignment; that it is lower than the one asked for is said once for each arena.
void checkAlignments(PlacementChecks& on)
{
    const std::int64_t wanted = on.facts.program.policies.alignment;
    for (std::size_t a = 0; a < on.facts.map.arenas.size(); ++a) {
        const std::int64_t own = std::max<std::int64_t>(on.facts.map.arenas[a].alignment, 1);
        if (wanted <= 1 || own >= wanted) continue;
        const auto& values = on.facts.values;
        const auto isOff = [&](const PlaceFacts& value) {
            return value.walkable && value.arena == ArenaId(a) && !value.write.empty() &&
                   value.write.begin % wanted != 0;
        };
        const auto first = std::find_if(values.begin(), values.end(), isOff);
        if (first == values.end()) continue;
        const ValueId value(static_cast<std::size_t>(first - values.begin()));
        Finding finding = about(on, Rule::Misaligned, {value, {}}, on.facts.map.values[value.index()]);
        finding.severity = Severity::Warning;
        finding.message = say("misaligned.grid", word::Number {a}, own, wanted, nameOf(on.graph, value),
                              first->write.begin, std::count_if(values.begin(), values.end(), isOff));
        finding.fix = say("fix.alignment", Remedy::policy("alignment", std::to_string(own)), word::Number {wanted});
        on.findings.push_back(std::move(finding));
    }
}

/// What is reserved counts, needed or not. Where a value of unknown size has no place, it may be what the bytes at the
/// end are for.
void checkSlack(PlacementChecks& on)
{
    const auto& values = on.facts.values;
    const auto isOpen = [](const PlaceFacts& value) {
        const bool placed = value.walkable && !value.write.empty();
        return !placed && !value.external && !value.aliasesCaller && value.requiredBytes < 0;
    };
    if (std::any_of(values.begin(), values.end(), isOpen)) return;
    const MemoryMap& map = on.facts.map;
    std::vector<std::int64_t> ends(map.arenas.size());
    const auto reach = [&](const ValuePlacement& where) {
        if (!where.placed() || where.arena.index() >= ends.size()) return;
        ends[where.arena.index()] = std::max(ends[where.arena.index()], endOf(where.offset, where.bytes));
    };
    for (const ValuePlacement& where : map.values)
        reach(where);
    for (const ScratchPlacement& scratch : map.scratch)
        reach(scratch.where);
    for (std::size_t a = 0; a < map.arenas.size(); ++a) {
        const PlannedArena& arena = map.arenas[a];
        for (const ReservedBytes& region : arena.reserved)
            ends[a] = std::max(ends[a], region.bytes.end);
        if (arena.bytes <= ends[a] || arena.bytes - ends[a] < std::max(LeastSlack, arena.alignment)) continue;
        Finding finding;
        finding.rule = Rule::ArenaSlack;
        finding.severity = ruleSeverity(finding.rule);
        finding.arena = ArenaId(a);
        finding.bytes = {ends[a], arena.bytes};
        finding.message = say("arena-slack", say("arena", word::Number {a}, arena.space), arena.bytes, ends[a],
                              arena.bytes - ends[a]);
        finding.fix = say("fix.reserve-no-more", ends[a]);
        on.findings.push_back(std::move(finding));
    }
}

} // namespace

Interval stepsInUse(const PlanFacts& facts, const Walk& walk, ValueId value)
{
    const Interval touched = walk.touched[value.index()];
    const NodeId producer = facts.graph()[value].producer;
    if (!touched.empty() || !producer.valid()) return touched;
    return facts.program.schedule.nodes[producer.index()];
}

void checkPlacements(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    PlacementChecks on {facts, facts.graph(), walk, findings};
    for (std::size_t i = 0; i < facts.values.size(); ++i)
        checkValue(on, ValueId(i));
    for (const ScratchFacts& scratch : facts.scratch) {
        if (scratch.reservedBytes >= scratch.requiredBytes) continue;
        Finding finding = about(on, Rule::Undersized, {ValueId(), scratch.node},
                                {scratch.arena, scratch.write.begin, scratch.requiredBytes});
        finding.message = say("undersized.scratchpad", nameOf(on.graph, scratch.node), scratch.reservedBytes,
                              scratch.requiredBytes, finding.steps);
        finding.fix = say("fix.reserve", scratch.requiredBytes);
        findings.push_back(std::move(finding));
    }
    for (const ScratchPlacement& scratch : facts.map.scratch) {
        if (scratch.node.valid() && scratch.node.index() < on.graph.nodes.size())
            checkWhere(on, {ValueId(), scratch.node}, scratch.where);
    }
    checkMissingScratch(on);
    checkAlignments(on);
    checkSlack(on);
}

} // namespace plimsoll::verifying
