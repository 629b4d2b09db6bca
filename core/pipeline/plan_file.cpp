#include "core/formats/read_graph.h"
#include "core/pipeline/stages.h"

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

/// A plan in terms of the graph as it was before implementations were chosen; what they added stands apart.
class PlanByNames
{
public:
    explicit PlanByNames(const Report& report) : m_report(report), m_graph(*report.program.graph) {}

    PlanFile run()
    {
        m_plan.graphDigest = m_report.captured.digest;
        m_plan.arenas = m_report.program.map.arenas;
        listSteps();
        for (std::size_t value = 0; value < m_graph.values.size(); ++value) {
            if (!isAdded(ValueId(value))) addValue(ValueId(value));
        }
        for (std::size_t value = 0; value < m_graph.values.size(); ++value) {
            if (isAdded(ValueId(value))) addValue(ValueId(value));
        }
        for (const ScratchPlacement& scratch : m_report.program.map.scratch)
            addScratch(scratch);
        for (std::size_t value = 0; value < m_graph.values.size(); ++value) {
            if (m_graph.decided[ValueId(value)].fusedInto.valid()) m_plan.fused.push_back(m_graph.values[value].name);
        }
        nameImplementations();
        if (m_report.program.streams.several()) m_plan.streams = pipeline::namedStreams(m_report.program);
        return std::move(m_plan);
    }

private:
    [[nodiscard]] bool isAdded(ValueId value) const
    {
        return m_report.captured.firstAddedValue.valid() && value >= m_report.captured.firstAddedValue;
    }
    [[nodiscard]] bool isAdded(NodeId node) const
    {
        return m_report.captured.firstAddedNode.valid() && node >= m_report.captured.firstAddedNode;
    }

    void listSteps()
    {
        std::vector<std::string> steps;
        m_position.reserve(m_report.program.schedule.steps.size());
        for (const Step& step : m_report.program.schedule.steps) {
            const bool runs = step.kind == StepKind::Node || step.kind == StepKind::Enter;
            if (runs && !isAdded(step.node)) steps.push_back(m_graph[step.node].name);
            m_position.push_back(static_cast<std::int64_t>(steps.size()) - 1);
        }
        m_plan.steps = std::move(steps);
    }

    /// The last of the plan's steps that begins no later; -1 where there is none.
    [[nodiscard]] std::int64_t positionAt(NodeId node) const
    {
        const Interval steps = node.valid() ? m_report.program.schedule.nodes[node.index()] : Interval {};
        return steps.empty() ? -1 : m_position[static_cast<std::size_t>(steps.begin)];
    }

    void addValue(ValueId value)
    {
        const ValuePlacement& where = m_report.program.map.values[value.index()];
        const bool guest = where.host.valid() && where.host != value;
        if (!where.placed() && !guest) return;
        PlanFile::Entry entry {m_graph[value].name, where.arena, where.offset, where.bytes};
        if (!where.placed()) entry.host = m_graph[where.host].name;
        if (isAdded(value)) entry.afterStep = positionAt(m_graph[value].producer);
        m_plan.entries.push_back(std::move(entry));
    }

    void addScratch(const ScratchPlacement& scratch)
    {
        const ValuePlacement& where = scratch.where;
        if (!where.placed()) return;
        m_plan.entries.push_back({std::string(ScratchPrefix) + m_graph[scratch.node].name,
                                  where.arena,
                                  where.offset,
                                  where.bytes,
                                  {},
                                  positionAt(scratch.node)});
    }

    /// Of nodes that need more than their tensors: plain loops do only where they go through dense temporaries.
    void nameImplementations()
    {
        m_plan.implementations.emplace();
        std::set<NodeId> dense;
        for (const DenseFallback& fallback : m_report.memory.fallbacks)
            dense.insert(fallback.node);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const NodeId node(i);
            const Implementation& chosen = m_report.program.implementations[NodeId(i)];
            const bool library = chosen.backend != ReferenceBackend || !chosen.name.empty();
            if (isAdded(node) || m_graph.decided[node].fusedInto.valid() || !(library || dense.contains(node)))
                continue;
            m_plan.implementations->emplace(m_graph[node].name, pinOf(chosen));
            if (library) m_plan.offers[m_graph[node].name] = {chosen};
        }
    }

    const Report& m_report;
    const Graph& m_graph;
    PlanFile m_plan;
    std::vector<std::int64_t> m_position; ///< By step: of the last of the plan's steps up to it.
};

} // namespace

PlanFile planOf(const Report& report)
{
    return PlanByNames(report).run();
}

} // namespace plimsoll
