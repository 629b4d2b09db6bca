#include "core/verify/plan_facts.h"

#include "core/base/bytes.h"
#include "core/graph/value_strides.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/ops/op_traits.h"
#include "core/ops/saving.h"
#include "core/verify/inner_reads.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

bool isExternal(const Graph& graph, const Value& value)
{
    if (value.role == ValueRole::Intermediate) return value.producer.valid() && graph.decided[value.producer].ahead;
    return value.role != ValueRole::BodyInput;
}

std::int64_t requiredBytes(const Program& program, const Value& value, std::int64_t logical)
{
    if (!value.producer.valid() || value.producerOutput < 0) return logical;
    const auto& required = program.implementations[value.producer].requiredOutputBytes;
    const auto output = static_cast<std::size_t>(value.producerOutput);
    return output < required.size() ? std::max(logical, required[output]) : logical;
}

/// Half-open range from \p offset, empty-handed when its end cannot be told.
std::optional<Interval> range(std::int64_t offset, std::int64_t bytes)
{
    if (bytes < 0) return std::nullopt;
    if (offset < 0) return Interval {offset, offset + bytes};
    const std::optional<std::int64_t> end = checkedAdd(offset, bytes);
    return end ? std::optional(Interval {offset, *end}) : std::nullopt;
}

/// \p bound: the most bytes of a value whose size only the run knows, or -1.
PlaceFacts factsOf(const Program& program, const MemoryMap& map, ValueId id, std::int64_t bound)
{
    const Value& value = (*program.graph)[id];
    PlaceFacts facts;
    facts.external = isExternal(*program.graph, value);
    facts.logicalBytes = spanBytes(value).value_or(-1);
    facts.plain = writtenLayout(program, value) == PlainLayout;
    if (facts.logicalBytes >= 0) facts.requiredBytes = requiredBytes(program, value, facts.logicalBytes);
    if (id.index() >= map.values.size()) return facts;
    const ValuePlacement& where = map.values[id.index()];
    if (!where.placed() || where.arena.index() >= map.arenas.size()) return facts;
    // Of a value of unknown size without a bound nothing but the reserved bytes is known.
    if (facts.logicalBytes < 0) facts.requiredBytes = bound;
    const std::int64_t written = facts.requiredBytes >= 0 ? facts.requiredBytes : where.bytes;
    const auto read = range(where.offset, facts.plain && facts.logicalBytes >= 0 ? facts.logicalBytes : written);
    const auto write = range(where.offset, written);
    if (!read || !write) return facts;
    facts.walkable = true;
    facts.arena = where.arena;
    facts.read = *read;
    facts.write = *write;
    return facts;
}

ScratchFacts scratchFacts(const Program& program, const MemoryMap& map, const ScratchPlacement& scratch)
{
    ScratchFacts facts;
    facts.node = scratch.node;
    facts.requiredBytes = program.implementations[scratch.node].scratchpadBytes;
    facts.reservedBytes = scratch.where.bytes;
    // What no implementation is known to need, the plan says it needs; an NPU works in it by a plan of its own.
    const bool stated = facts.requiredBytes <= 0 && !arrangesItsMemory((*program.graph)[scratch.node]);
    const std::int64_t written = stated ? facts.reservedBytes : facts.requiredBytes;
    const auto write = range(scratch.where.offset, std::max(written, std::int64_t {0}));
    if (!scratch.where.placed() || scratch.where.arena.index() >= map.arenas.size() || !write) return facts;
    facts.walkable = true;
    facts.arena = scratch.where.arena;
    facts.write = *write;
    return facts;
}

/// The bytes of a host are a region like an arena: its own content is there first, aliases lie in it as the map says.
void takeIn(PlanFacts& facts)
{
    const auto regionOf = [&facts](ValueId host) {
        const auto known = std::find(facts.hosts.begin(), facts.hosts.end(), host);
        const auto number = static_cast<std::size_t>(known - facts.hosts.begin());
        if (known == facts.hosts.end()) facts.hosts.push_back(host);
        return ArenaId(facts.map.arenas.size() + number);
    };
    const auto settle = [&facts](ValueId value, ArenaId region, std::int64_t offset) {
        PlaceFacts& own = facts.values[value.index()];
        const auto read = range(offset, own.logicalBytes);
        const auto write = range(offset, own.requiredBytes);
        if (own.walkable || offset < 0 || !read || !write) return;
        own.walkable = true;
        own.arena = region;
        own.read = *read;
        own.write = *write;
    };
    for (std::size_t i = 0; i < std::min(facts.values.size(), facts.map.values.size()); ++i) {
        const ValuePlacement& where = facts.map.values[i];
        if (where.placed() || !where.host.valid() || where.host.index() >= facts.values.size()) continue;
        const ArenaId region = regionOf(where.host);
        facts.values[i].brought = where.host == ValueId(i);
        settle(ValueId(i), region, where.offset);
        if (facts[where.host].external) settle(where.host, region, 0);
    }
}

/// An unplaced output that is declared to be the bytes of something outside the arenas lives there, and so does
/// what is declared to be that output's bytes. Captured order meets the host first.
void aliasCaller(PlanFacts& facts, NodeId node)
{
    for (const AliasTrait& trait : facts.traits[node]) {
        const ValueId output = facts.graph()[node].outputs[static_cast<std::size_t>(trait.output)];
        const ValueId input = facts.graph()[node].inputs[static_cast<std::size_t>(trait.input)];
        const bool same =
            trait.kind == AliasKind::Identity || trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates;
        if (!same || !output.valid() || !input.valid()) continue;
        PlaceFacts& alias = facts.values[output.index()];
        const PlaceFacts& host = facts[input];
        const bool placed = output.index() < facts.map.values.size() && facts.map.values[output.index()].placed();
        if (placed || alias.walkable || alias.external || alias.aliasesCaller || host.walkable) continue;
        alias.aliasesCaller = host.external || host.aliasesCaller || host.logicalBytes < 0;
        alias.aliasesByChoice = trait.kind == AliasKind::Identity || host.aliasesByChoice;
        alias.host = host.external ? input : host.host;
    }
}

} // namespace

bool isGivenAway(const PlanFacts& facts, ValueId value)
{
    const Value& input = facts.graph()[value];
    if (input.role != ValueRole::Input || input.visible) return false;
    const bool inArena = value.index() < facts.map.values.size() && facts.map.values[value.index()].placed();
    return inArena || facts.program.policies.inputs == InputsPolicy::Donate;
}

std::vector<ValueId> keptForBackward(const PlanFacts& facts)
{
    const Graph& graph = facts.graph();
    const Schedule& schedule = facts.program.schedule;
    const NodeId backward = graph.boundary.firstBackward;
    if (!backward.valid() || schedule.nodes[backward.index()].empty()) return {};
    const std::int64_t begin = schedule.stepOf(backward);
    std::vector<ValueId> kept;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        if (static_cast<std::int64_t>(i) < begin || step.kind != StepKind::Node) continue;
        for (std::size_t input = 0; input < graph[step.node].inputs.size(); ++input) {
            if (!readsContent(graph, step.node, static_cast<int>(input))) continue;
            const ValueId value = graph[step.node].inputs[input];
            const NodeId maker = graph[value].producer;
            const bool made = maker.valid() && graph[value].body == TopBody && !facts[value].external;
            if (made && schedule.nodes[maker.index()].end <= begin) kept.push_back(value);
        }
    }
    std::ranges::sort(kept);
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return kept;
}

std::string_view writtenLayout(const Program& program, const Value& value)
{
    if (!value.producer.valid()) return PlainLayout;
    return outputLayout(program.implementations[value.producer], value.producerOutput);
}

bool readsKept(const Graph& graph, ValueId value, NodeId reader)
{
    if (!reader.valid() || !isBackward(graph, reader)) return false;
    const NodeId maker = graph[value].producer;
    return !(maker.valid() && isBackward(graph, maker));
}

PlanFacts collectFacts(const VerifyInput& input)
{
    const Graph& graph = *input.program.graph;
    PlanFacts facts {
        input.program, input.map, input.ownPlan, TraitTable(graph, input.program.implementations), {}, {}, {}, {}};
    const std::vector<std::int64_t> bounds = sizeBounds(input.program);
    facts.values.reserve(graph.values.size());
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        facts.values.push_back(factsOf(input.program, input.map, ValueId(i), bounds[i]));
    takeIn(facts);
    for (const Step& step : input.program.schedule.steps) {
        if (step.kind == StepKind::Node) aliasCaller(facts, step.node);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const ValueId read : readElsewhere(graph, NodeId(i)))
            facts.moved.emplace(NodeId(i), read);
    }
    facts.scratchOf.resize(graph.nodes.size());
    for (const ScratchPlacement& scratch : input.map.scratch) {
        if (!scratch.node.valid() || scratch.node.index() >= graph.nodes.size()) continue;
        facts.scratchOf[scratch.node.index()].push_back(facts.scratch.size());
        facts.scratch.push_back(scratchFacts(input.program, input.map, scratch));
    }
    return facts;
}

} // namespace plimsoll::verifying
