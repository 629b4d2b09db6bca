#include "core/ops/op_traits.h"
#include "core/ops/reorder_node.h"
#include "core/verify/checks.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <set>

namespace plimsoll::verifying {
namespace {

constexpr std::string_view CpuSpace = "cpu";

/// Where the graph says that a value lives; empty where it says nothing.
std::string namedSpace(const Graph& graph, ValueId id)
{
    const Value& value = graph[id];
    if (!value.at->space.empty() || !value.producer.valid()) return value.at->space;
    const Node& maker = graph[value.producer];
    if (isSpaceCopy(maker)) return attributeOr<std::string>(maker, "space", std::string(CpuSpace));
    return maker.at->device;
}

/// Memories are told apart where nodes compute in them. A captured graph may name spaces that are nothing but names: a
/// value may lie in the arena that is called so, or in that of the CPU. A plan may divide the memory of the CPU
/// further: in an arena whose name the graph does not know lies whatever the graph names no other memory for.
struct SpaceChecks
{
    const PlanFacts& facts;
    const Graph& graph;
    std::vector<Finding>& findings;
    std::set<std::string> devices;
};

/// A view lives where that lives of which it is one, whatever else its own name says.
std::vector<ValueId> findBases(const SpaceChecks& on)
{
    std::vector<ValueId> bases;
    for (std::size_t i = 0; i < on.graph.values.size(); ++i)
        bases.emplace_back(i);
    for (const Step& step : on.facts.program.schedule.steps) {
        if (step.kind != StepKind::Node) continue;
        for (const AliasTrait& trait : on.facts.traits[step.node]) {
            const ValueId output = on.graph[step.node].outputs[static_cast<std::size_t>(trait.output)];
            const ValueId input = on.graph[step.node].inputs[static_cast<std::size_t>(trait.input)];
            const bool tied = trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates;
            if (tied && output.valid() && input.valid()) bases[output.index()] = bases[input.index()];
        }
    }
    return bases;
}

const std::string& deviceOf(const SpaceChecks& on, NodeId node)
{
    return on.facts.program.implementations[node].device;
}

Argument title(const std::string& device)
{
    return device.empty() ? Argument(say("memory-of-cpu")) : Argument(word::Name {device});
}

/// At a value or a scratchpad: \p where is what the plan says of it.
template <typename Where>
void report(SpaceChecks& on, NodeId node, const std::string& wanted, Message message, const Where& where)
{
    Finding finding;
    finding.rule = Rule::WrongSpace;
    finding.message = std::move(message);
    if (node.valid()) finding.nodes = {node};
    if (node.valid()) finding.steps = on.facts.program.schedule.nodes[node.index()];
    finding.fix = say("fix.place-in", title(wanted));
    if (where.walkable) finding.arena = where.arena;
    if (where.walkable) finding.bytes = where.write;
    on.findings.push_back(std::move(finding));
}

void report(SpaceChecks& on, NodeId node, const std::string& wanted, Message message, ValueId value)
{
    report(on, node, wanted, std::move(message), on.facts[value]);
    on.findings.back().values = {value};
}

void reportStrange(SpaceChecks& on, ValueId value, const std::string& space, const std::string& named)
{
    const Value& info = on.graph[value];
    const NodeId node = info.role == ValueRole::BodyInput ? on.graph[info.body].owner : info.producer;
    const std::string device = node.valid() ? deviceOf(on, node) : std::string();
    const Argument name = nameOf(on.graph, value);
    const word::Name there {space};
    Message message = !named.empty() ? say("wrong-space.named", name, there, word::Name {named})
                      : node.valid() ? say("wrong-space.elsewhere", name, there, nameOf(on.graph, node), title(device))
                                     : say("wrong-space.nowhere", name, there);
    report(on, node, named.empty() ? device : named, std::move(message), value);
}

/// Arenas of memories in which no node computes.
void checkNames(SpaceChecks& on)
{
    const auto& arenas = on.facts.map.arenas;
    const auto strange = [&](const PlannedArena& arena) {
        return arena.space != CpuSpace && !on.devices.contains(arena.space);
    };
    if (std::none_of(arenas.begin(), arenas.end(), strange)) return;
    const std::vector<ValueId> bases = findBases(on);
    std::set<std::string> known; // of which the graph speaks
    for (std::size_t i = 0; i < on.graph.values.size(); ++i)
        known.insert(namedSpace(on.graph, ValueId(i)));
    for (std::size_t i = 0; i < on.facts.values.size(); ++i) {
        const PlaceFacts& facts = on.facts.values[i];
        if (!facts.walkable || facts.arena.index() >= arenas.size() || !strange(arenas[facts.arena.index()])) continue;
        const std::string& space = arenas[facts.arena.index()].space;
        const std::string own = namedSpace(on.graph, ValueId(i));
        const std::string base = namedSpace(on.graph, bases[i]);
        if (own == space || base == space) continue;
        const std::string& named = own.empty() ? base : own;
        if (!named.empty() || known.contains(space)) reportStrange(on, ValueId(i), space, named);
    }
    for (const ScratchFacts& scratch : on.facts.scratch) {
        if (!scratch.walkable || !strange(arenas[scratch.arena.index()])) continue;
        const std::string& space = arenas[scratch.arena.index()].space;
        const std::string& device = on.graph[scratch.node].at->device;
        if (space == device || (device.empty() && !known.contains(space))) continue;
        const std::string& wanted = deviceOf(on, scratch.node);
        report(on, scratch.node, wanted,
               say("wrong-space.scratchpad-name", nameOf(on.graph, scratch.node), word::Name {space}, title(wanted)),
               scratch);
    }
}

std::string knownDevice(const SpaceChecks& on, const std::string& space)
{
    return on.devices.contains(space) ? space : std::string();
}

/// Where a node leaves what it makes.
std::string writtenBy(const SpaceChecks& on, NodeId node)
{
    const Node& info = on.graph[node];
    if (isSpaceCopy(info)) return knownDevice(on, attributeOr<std::string>(info, "space", {}));
    return deviceOf(on, node);
}

std::string memoryOf(const SpaceChecks& on, ValueId value)
{
    const auto& places = on.facts.map.values;
    const ValuePlacement where = value.index() < places.size() ? places[value.index()] : ValuePlacement {};
    if (where.placed() && where.arena.index() < on.facts.map.arenas.size())
        return knownDevice(on, on.facts.map.arenas[where.arena.index()].space);
    const ValueId host = where.host.valid() ? where.host : on.facts[value].host;
    const Value& owner = on.graph[host.valid() ? host : value];
    if (!owner.at->space.empty() || !owner.producer.valid()) return knownDevice(on, owner.at->space);
    return knownDevice(on, on.graph[owner.producer].at->device);
}

void check(SpaceChecks& on, NodeId node, std::string_view id, ValueId value, const std::string& wanted)
{
    const std::string there = memoryOf(on, value);
    if (there == wanted) return;
    report(on, node, wanted, say(id, nameOf(on.graph, node), nameOf(on.graph, value), title(there), title(wanted)),
           value);
}

void checkNode(SpaceChecks& on, NodeId node)
{
    const Node& info = on.graph[node];
    const std::string& device = deviceOf(on, node);
    const bool copy = isSpaceCopy(info);
    for (std::size_t i = 0; i < info.inputs.size() && !copy; ++i) {
        if (readsContent(on.graph, node, static_cast<int>(i)))
            check(on, node, "wrong-space.reads", info.inputs[i], device);
    }
    for (const ValueId output : info.outputs) {
        if (output.valid()) check(on, node, "wrong-space.writes", output, writtenBy(on, node));
    }
    for (const std::size_t index : on.facts.scratchOf[node.index()]) {
        const ScratchFacts& scratch = on.facts.scratch[index];
        if (!scratch.walkable) continue;
        const std::string there = knownDevice(on, on.facts.map.arenas[scratch.arena.index()].space);
        if (there == device) continue;
        report(on, node, device, say("wrong-space.scratchpad", nameOf(on.graph, node), title(there), title(device)),
               scratch);
    }
}

/// What the caller takes is where the graph says, or in the memory of the CPU. Where its node wrote it elsewhere than
/// where it computes, that is a finding already.
void checkHandedOut(SpaceChecks& on, ValueId output)
{
    const NodeId maker = on.graph[output].producer;
    const std::string there = memoryOf(on, output);
    const std::string wanted = knownDevice(on, on.graph[output].at->space);
    if (!maker.valid() || there == wanted || there != writtenBy(on, maker)) return;
    report(on, maker, wanted, say("wrong-space.output", nameOf(on.graph, output), title(there), title(wanted)), output);
}

} // namespace

void checkSpaces(const PlanFacts& facts, std::vector<Finding>& findings)
{
    SpaceChecks on {facts, facts.graph(), findings, {}};
    for (const Implementation& chosen : facts.program.implementations.chosen())
        on.devices.insert(chosen.device);
    on.devices.erase(std::string());
    checkNames(on);
    if (on.devices.empty()) return;
    for (const Step& step : facts.program.schedule.steps) {
        if (step.kind == StepKind::Node || step.kind == StepKind::Enter) checkNode(on, step.node);
    }
    for (const Body& body : on.graph.bodies) { // what an owner hands its body, and what it takes from there
        if (!body.owner.valid()) continue;
        for (const ValueId input : body.inputs)
            check(on, body.owner, "wrong-space.writes", input, deviceOf(on, body.owner));
        for (const ValueId output : body.outputs)
            check(on, body.owner, "wrong-space.reads", output, deviceOf(on, body.owner));
    }
    for (const ValueId output : std::set<ValueId>(on.graph.top().outputs.begin(), on.graph.top().outputs.end()))
        checkHandedOut(on, output);
}

} // namespace plimsoll::verifying
