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
    if (!value.space.empty() || !value.producer.valid()) return value.space;
    const Node& maker = graph[value.producer];
    if (isSpaceCopy(maker)) return attributeOr<std::string>(maker, "space", std::string(CpuSpace));
    return maker.device;
}

/// Memories are told apart where nodes compute in them. A captured graph may name spaces that are nothing but names: a
/// value may lie in the arena that is called so, or in that of the CPU. A plan may divide the memory of the CPU
/// further: in an arena whose name the graph does not know lies whatever the graph names no other memory for.
class SpaceChecks
{
public:
    SpaceChecks(const PlanFacts& facts, std::vector<Finding>& findings)
        : m_facts(facts), m_graph(facts.graph()), m_findings(findings)
    {
        for (const Implementation& chosen : facts.program.implementations)
            m_devices.insert(chosen.device);
        m_devices.erase(std::string());
    }

    void run()
    {
        checkNames();
        if (m_devices.empty()) return;
        for (const Step& step : m_facts.program.schedule.steps) {
            if (step.kind == StepKind::Node || step.kind == StepKind::Enter) checkNode(step.node);
        }
        for (const Body& body : m_graph.bodies)
            checkBorder(body);
        for (const ValueId output : std::set<ValueId>(m_graph.top().outputs.begin(), m_graph.top().outputs.end()))
            checkHandedOut(output);
    }

private:
    /// A view lives where that lives of which it is one, whatever else its own name says.
    [[nodiscard]] std::vector<ValueId> findBases() const
    {
        std::vector<ValueId> bases;
        for (std::size_t i = 0; i < m_graph.values.size(); ++i)
            bases.emplace_back(i);
        for (const Step& step : m_facts.program.schedule.steps) {
            if (step.kind != StepKind::Node) continue;
            for (const AliasTrait& trait : m_facts.traits[step.node]) {
                const ValueId output = m_graph[step.node].outputs[static_cast<std::size_t>(trait.output)];
                const ValueId input = m_graph[step.node].inputs[static_cast<std::size_t>(trait.input)];
                const bool tied = trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates;
                if (tied && output.valid() && input.valid()) bases[output.index()] = bases[input.index()];
            }
        }
        return bases;
    }

    /// Arenas of memories in which no node computes.
    void checkNames()
    {
        const auto& arenas = m_facts.map.arenas;
        const auto strange = [&](const PlannedArena& arena) {
            return arena.space != CpuSpace && !m_devices.contains(arena.space);
        };
        if (std::none_of(arenas.begin(), arenas.end(), strange)) return;
        const std::vector<ValueId> bases = findBases();
        const std::set<std::string> known = knownSpaces();
        for (std::size_t i = 0; i < m_facts.values.size(); ++i) {
            const PlaceFacts& facts = m_facts.values[i];
            if (!facts.walkable || facts.arena.index() >= arenas.size() || !strange(arenas[facts.arena.index()]))
                continue;
            const std::string& space = arenas[facts.arena.index()].space;
            const std::string own = namedSpace(m_graph, ValueId(i));
            const std::string base = namedSpace(m_graph, bases[i]);
            if (own == space || base == space) continue;
            const std::string& named = own.empty() ? base : own;
            if (!named.empty() || known.contains(space)) reportStrange(ValueId(i), space, named);
        }
        for (const ScratchFacts& scratch : m_facts.scratch) {
            if (!scratch.walkable || !strange(arenas[scratch.arena.index()])) continue;
            const std::string& space = arenas[scratch.arena.index()].space;
            const std::string& device = m_graph[scratch.node].device;
            if (space != device && (!device.empty() || known.contains(space))) reportStrange(scratch, space);
        }
    }

    /// Of which the graph speaks.
    [[nodiscard]] std::set<std::string> knownSpaces() const
    {
        std::set<std::string> spaces;
        for (std::size_t i = 0; i < m_graph.values.size(); ++i)
            spaces.insert(namedSpace(m_graph, ValueId(i)));
        return spaces;
    }

    void reportStrange(ValueId value, const std::string& space, const std::string& named)
    {
        const Value& info = m_graph[value];
        const NodeId node = info.role == ValueRole::BodyInput ? m_graph[info.body].owner : info.producer;
        Finding finding = strangeAt(node, m_facts[value].arena, m_facts[value].write);
        finding.values = {value};
        if (!named.empty())
            finding.message = say("wrong-space.named", nameOf(m_graph, value), word::Name {space}, word::Name {named});
        else if (node.valid())
            finding.message = say("wrong-space.elsewhere", nameOf(m_graph, value), word::Name {space},
                                  nameOf(m_graph, node), title(deviceOf(node)));
        else
            finding.message = say("wrong-space.nowhere", nameOf(m_graph, value), word::Name {space});
        m_findings.push_back(std::move(finding));
    }

    void reportStrange(const ScratchFacts& scratch, const std::string& space)
    {
        Finding finding = strangeAt(scratch.node, scratch.arena, scratch.write);
        finding.message = say("wrong-space.scratchpad-name", nameOf(m_graph, scratch.node), word::Name {space},
                              title(deviceOf(scratch.node)));
        m_findings.push_back(std::move(finding));
    }

    [[nodiscard]] Finding strangeAt(NodeId node, ArenaId arena, Interval bytes) const
    {
        Finding finding = about(node, node.valid() ? deviceOf(node) : std::string());
        finding.arena = arena;
        finding.bytes = bytes;
        return finding;
    }

    [[nodiscard]] const std::string& deviceOf(NodeId node) const
    {
        return implementationOf(m_facts.program, node).device;
    }

    void checkNode(NodeId node)
    {
        const Node& info = m_graph[node];
        const std::string& device = implementationOf(m_facts.program, node).device;
        const bool copy = isSpaceCopy(info);
        for (std::size_t i = 0; i < info.inputs.size() && !copy; ++i) {
            if (readsContent(m_graph, node, static_cast<int>(i)))
                check(node, "wrong-space.reads", info.inputs[i], device);
        }
        for (const ValueId output : info.outputs) {
            if (output.valid()) check(node, "wrong-space.writes", output, writtenBy(node));
        }
        for (const std::size_t index : m_facts.scratchOf[node.index()])
            checkScratch(m_facts.scratch[index], device);
    }

    /// What an owner hands its body, and what it takes from there.
    void checkBorder(const Body& body)
    {
        if (!body.owner.valid()) return;
        const std::string& device = implementationOf(m_facts.program, body.owner).device;
        for (const ValueId input : body.inputs)
            check(body.owner, "wrong-space.writes", input, device);
        for (const ValueId output : body.outputs)
            check(body.owner, "wrong-space.reads", output, device);
    }

    /// What the caller takes is where the graph says, or in the memory of the CPU. One who wrote it elsewhere than
    /// where he computes is told already.
    void checkHandedOut(ValueId output)
    {
        const NodeId maker = m_graph[output].producer;
        const std::string there = memoryOf(output);
        const std::string wanted = knownDevice(m_graph[output].space);
        if (!maker.valid() || there == wanted || there != writtenBy(maker)) return;
        Finding finding = about(maker, wanted);
        finding.values = {output};
        finding.message = say("wrong-space.output", nameOf(m_graph, output), title(there), title(wanted));
        setBytes(finding, output);
        m_findings.push_back(std::move(finding));
    }

    /// Where a node leaves what it makes.
    [[nodiscard]] std::string writtenBy(NodeId node) const
    {
        const Node& info = m_graph[node];
        if (isSpaceCopy(info)) return knownDevice(attributeOr<std::string>(info, "space", {}));
        return implementationOf(m_facts.program, node).device;
    }

    void check(NodeId node, std::string_view id, ValueId value, const std::string& wanted)
    {
        const std::string there = memoryOf(value);
        if (there == wanted) return;
        Finding finding = about(node, wanted);
        finding.values = {value};
        finding.message = say(id, nameOf(m_graph, node), nameOf(m_graph, value), title(there), title(wanted));
        setBytes(finding, value);
        m_findings.push_back(std::move(finding));
    }

    void setBytes(Finding& finding, ValueId value) const
    {
        const PlaceFacts& where = m_facts[value];
        if (!where.walkable) return;
        finding.arena = where.arena;
        finding.bytes = where.write;
    }

    void checkScratch(const ScratchFacts& scratch, const std::string& wanted)
    {
        if (!scratch.walkable) return;
        const std::string there = knownDevice(m_facts.map.arenas[scratch.arena.index()].space);
        if (there == wanted) return;
        Finding finding = about(scratch.node, wanted);
        finding.message = say("wrong-space.scratchpad", nameOf(m_graph, scratch.node), title(there), title(wanted));
        finding.arena = scratch.arena;
        finding.bytes = scratch.write;
        m_findings.push_back(std::move(finding));
    }

    [[nodiscard]] Finding about(NodeId node, const std::string& wanted) const
    {
        Finding finding;
        finding.rule = Rule::WrongSpace;
        if (node.valid()) finding.nodes = {node};
        if (node.valid()) finding.steps = m_facts.program.schedule.nodes[node.index()];
        finding.fix = say("fix.place-in", title(wanted));
        return finding;
    }

    [[nodiscard]] std::string memoryOf(ValueId value) const
    {
        const auto& places = m_facts.map.values;
        const ValuePlacement where = value.index() < places.size() ? places[value.index()] : ValuePlacement {};
        if (where.placed() && where.arena.index() < m_facts.map.arenas.size())
            return knownDevice(m_facts.map.arenas[where.arena.index()].space);
        const ValueId host = where.host.valid() ? where.host : m_facts[value].host;
        const Value& owner = m_graph[host.valid() ? host : value];
        if (!owner.space.empty() || !owner.producer.valid()) return knownDevice(owner.space);
        return knownDevice(m_graph[owner.producer].device);
    }

    [[nodiscard]] std::string knownDevice(const std::string& space) const
    {
        return m_devices.contains(space) ? space : std::string();
    }

    static Argument title(const std::string& device)
    {
        return device.empty() ? Argument(say("memory-of-cpu")) : Argument(word::Name {device});
    }

    const PlanFacts& m_facts;
    const Graph& m_graph;
    std::vector<Finding>& m_findings;
    std::set<std::string> m_devices;
};

} // namespace

void checkSpaces(const PlanFacts& facts, std::vector<Finding>& findings)
{
    SpaceChecks(facts, findings).run();
}

} // namespace plimsoll::verifying
