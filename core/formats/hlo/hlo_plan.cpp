#include "core/formats/hlo/hlo_plan.h"
#include "core/formats/bad_input.h"

#include "core/ops/op_traits.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll::hlo {
namespace {

constexpr std::size_t NoEntry = static_cast<std::size_t>(-1);
constexpr std::size_t MostNamed = 8; ///< Allocations, in a note.

/// Those that become arenas, in their order.
std::vector<const Allocation*> takenAtOnce(const Assignment& assignment)
{
    std::vector<const Allocation*> taken;
    for (const Allocation& allocation : assignment.allocations)
        if (!allocation.constant && !allocation.entryParameter && !allocation.threadLocal) taken.push_back(&allocation);
    return taken;
}

/// Values by the instruction and the part of its result that they hold.
class Values
{
public:
    Values(const Program& program, const std::vector<PlacedName>& placed, const Graph& graph)
    {
        for (const Computation& computation : program.module.computations) {
            for (const Instruction& one : computation.instructions)
                m_instructions.emplace(one.id, &one);
        }
        for (std::size_t i = 0; i < graph.values.size(); ++i) {
            const std::string& path = graph.values[i].name;
            m_ids.emplace(path.substr(path.rfind('/') + 1), ValueId(i));
        }
        for (const PlacedName& name : placed)
            m_names[name.instruction].push_back(&name);
    }

    /// None for a tuple itself, whose table of addresses is no value here, and for what is inside of a fusion.
    [[nodiscard]] std::vector<ValueId> at(const Location& location) const
    {
        std::vector<ValueId> values;
        const auto instruction = m_instructions.find(location.instruction);
        const auto names = m_names.find(location.instruction);
        if (instruction == m_instructions.end() || names == m_names.end()) return values;
        const auto range = leavesAt(instruction->second->shape, location.path);
        const bool leaf = range && range->count == 1 && !isTuple(instruction->second->shape, location.path);
        for (const PlacedName* name : names->second) {
            const auto id = m_ids.find(name->value);
            if (leaf && name->leaf == range->first && id != m_ids.end()) values.push_back(id->second);
        }
        return values;
    }

    [[nodiscard]] ValueId parameter(const Module& module, const Allocation& allocation) const
    {
        for (const Instruction& one : module.computations[module.entry].instructions) {
            if (one.opcode != "parameter" || one.number != allocation.parameter) continue;
            const std::vector<ValueId> values = at({one.id, allocation.path});
            if (!values.empty()) return values.front();
        }
        return {};
    }

private:
    static bool isTuple(const Shape& shape, const Path& path)
    {
        const Shape* here = &shape;
        for (const std::int64_t index : path)
            here = &here->parts[static_cast<std::size_t>(index)]; // there, as leavesAt() says
        return here->kind == Shape::Kind::Tuple;
    }

    std::unordered_map<std::int64_t, const Instruction*> m_instructions;
    std::unordered_map<std::int64_t, std::vector<const PlacedName*>> m_names;
    std::unordered_map<std::string, ValueId> m_ids; ///< By name without its path: unique in the whole file.
};

class PlanMaker
{
public:
    PlanMaker(const Program& program, const std::vector<PlacedName>& placed, const Graph& graph)
        : m_program(program), m_graph(graph), m_values(program, placed, graph), m_entries(graph.values.size(), NoEntry)
    {
    }

    Result<PlanFile> run()
    {
        std::unordered_map<std::int64_t, const LogicalBuffer*> buffers; // by id
        for (const LogicalBuffer& buffer : m_program.assignment->buffers)
            buffers.emplace(buffer.id, &buffer);
        // What the runtime takes for a run, with tables of tuples that are no values here.
        for (const Allocation* allocation : takenAtOnce(*m_program.assignment))
            static_cast<void>(arenaOf(*allocation));
        // What a buffer is made for has its place first; other positions are the same bytes.
        for (const bool makers : {true, false}) {
            for (const Allocation& allocation : m_program.assignment->allocations) {
                for (const Allocation::Assigned& assigned : allocation.assigned) {
                    for (const Location& location : buffers.at(assigned.buffer)->locations) {
                        const bool maker = &location == &buffers.at(assigned.buffer)->locations.front();
                        if (maker == makers) place(allocation, assigned, location);
                    }
                }
            }
        }
        followViews();
        PLIMSOLL_TRY(checkComplete());
        return std::move(m_plan);
    }

private:
    void place(const Allocation& allocation, const Allocation::Assigned& assigned, const Location& location)
    {
        for (const ValueId value : m_values.at(location)) {
            const bool made =
                m_graph[value].role == ValueRole::Intermediate || m_graph[value].role == ValueRole::BodyInput;
            if (!made || isPlaced(value)) continue;
            PlanFile::Entry entry {m_graph[value].name, {}, assigned.offset, assigned.size, {}};
            if (allocation.entryParameter || allocation.constant) {
                const ValueId host = allocation.constant ? ValueId() : m_values.parameter(m_program.module, allocation);
                if (!host.valid()) continue;
                entry.host = m_graph[host].name;
                entry.bytes = std::min(assigned.size, m_graph[value].type.bytes().value_or(assigned.size));
            } else {
                entry.arena = arenaOf(allocation);
            }
            add(value, std::move(entry));
        }
    }

    void add(ValueId value, PlanFile::Entry entry)
    {
        m_entries[value.index()] = m_plan.entries.size();
        m_plan.entries.push_back(std::move(entry));
    }

    /// What is a part of another value has no buffer of its own.
    void followViews()
    {
        for (std::size_t node = 0; node < m_graph.nodes.size(); ++node) {
            for (const AliasTrait& trait : aliasTraits(m_graph, NodeId(node))) {
                const ValueId input = m_graph.nodes[node].inputs[static_cast<std::size_t>(trait.input)];
                const ValueId output = m_graph.nodes[node].outputs[static_cast<std::size_t>(trait.output)];
                if (trait.kind != AliasKind::View || isPlaced(output) || !isPlaced(input)) continue;
                PlanFile::Entry entry = m_plan.entries[m_entries[input.index()]];
                entry.value = m_graph[output].name;
                entry.bytes = std::min(entry.bytes, m_graph[output].type.bytes().value_or(entry.bytes));
                add(output, std::move(entry));
            }
        }
    }

    [[nodiscard]] bool isPlaced(ValueId value) const { return m_entries[value.index()] != NoEntry; }

    ArenaId arenaOf(const Allocation& allocation)
    {
        const auto [known, isNew] = m_arenas.try_emplace(allocation.index, ArenaId(m_plan.arenas.size()));
        const std::string space = allocation.color == 0 ? m_program.device : spaceName(allocation.color);
        if (isNew) m_plan.arenas.push_back({space, allocation.size, 1, {}});
        return known->second;
    }

    [[nodiscard]] Status checkComplete() const
    {
        std::vector<bool> views(m_graph.values.size(), false);
        for (std::size_t node = 0; node < m_graph.nodes.size(); ++node) {
            for (const AliasTrait& trait : aliasTraits(m_graph, NodeId(node))) {
                const ValueId output = m_graph.nodes[node].outputs[static_cast<std::size_t>(trait.output)];
                if (trait.kind == AliasKind::View && output.valid()) views[output.index()] = true;
            }
        }
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const Value& value = m_graph.values[i];
            const bool made = value.role == ValueRole::Intermediate || value.role == ValueRole::BodyInput;
            if (!made || views[i] || isPlaced(ValueId(i)) || value.type.bytes().value_or(0) == 0) continue;
            return badInput(say("hlo.not-placed", word::Name {value.name}), "buffer_assignment");
        }
        if (!m_plan.entries.empty()) return {};
        return badInput(say("hlo.nothing-placed"), "buffer_assignment");
    }

    const Program& m_program;
    const Graph& m_graph;
    Values m_values;
    std::vector<std::size_t> m_entries; ///< By ValueId: among those of the plan, or NoEntry.
    PlanFile m_plan;
    std::unordered_map<std::int64_t, ArenaId> m_arenas; ///< By Allocation::index.
};

} // namespace

Result<PlanFile> planFrom(const Program& program, const std::vector<PlacedName>& placed, const Graph& graph)
{
    return PlanMaker(program, placed, graph).run();
}

Message allocationsNote(const Assignment& assignment)
{
    const std::vector<const Allocation*> taken = takenAtOnce(assignment);
    if (taken.size() < 2) return {};
    std::int64_t arena = 0;
    return say("note.hlo-allocations", listOf(
                                           taken,
                                           [&](const Allocation* one) {
                                               return say("hlo.allocation", word::Number {arena++},
                                                          word::Number {one->index},
                                                          one->liveOut ? "maybe-live-out" : "preallocated-temp");
                                           },
                                           MostNamed));
}

void setSpaces(const Program& program, const std::vector<PlacedName>& placed, Graph& graph)
{
    const Values values(program, placed, graph);
    for (const LogicalBuffer& buffer : program.assignment->buffers) {
        for (const ValueId value : values.at(buffer.locations.front()))
            graph[value].at.edit().space = spaceName(buffer.color);
    }
}

} // namespace plimsoll::hlo
