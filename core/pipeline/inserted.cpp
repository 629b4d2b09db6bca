#include "core/lower/node_insertion.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/pipeline/stages.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace plimsoll::pipeline {
namespace {

using Position = std::int64_t;

/// What a planner added beside the graph and what no implementation here explains: bytes that are written at their
/// place in the order, by a node of their own, and that nothing of the graph reads.
class InsertedBuffers
{
public:
    InsertedBuffers(Graph& graph, const PlanFile& plan) : m_graph(graph), m_plan(plan)
    {
        for (const Node& node : m_graph.nodes)
            m_scratch.insert(std::string(ScratchPrefix) + node.name);
        for (const Value& value : m_graph.values)
            m_values.insert(value.name);
    }

    Status run()
    {
        NodeInserter order(m_graph);
        for (std::size_t i = 0; i < m_plan.entries.size(); ++i) {
            const PlanFile::Entry& entry = m_plan.entries[i];
            const bool known = m_values.contains(entry.value) || m_scratch.contains(entry.value);
            if (!entry.afterStep || known || !entry.host.empty() || entry.bytes < 0) continue;
            PLIMSOLL_ASSIGN(anchor, anchorOf(*entry.afterStep, entry));
            const NodeId node = add(entry, anchor);
            if (anchor.valid())
                order.putBehind(anchor, node);
            else
                order.putBefore(m_first, m_graph[node].outputs.front(), node);
        }
        order.rebuildOrder();
        return {};
    }

private:
    /// The last node that runs up to that position; invalid before the first one.
    Result<NodeId> anchorOf(Position position, const PlanFile::Entry& entry)
    {
        if (!m_first.valid()) listSteps();
        if (position == -1 && m_first.valid()) return NodeId();
        if (position >= 0 && position < static_cast<Position>(m_steps.size()) && m_first.valid())
            return m_steps[static_cast<std::size_t>(position)];
        return Error {
            ErrorCode::BadInput,
            say("plan.inserted", word::Name {entry.value}, word::Number {position}, word::Number {m_steps.size()}),
            "inserted", m_plan.file};
    }

    /// As the plan lists them, else in the captured order. What does not run keeps its position.
    void listSteps()
    {
        const Schedule schedule = scheduleInCapturedOrder(m_graph);
        for (const Step& step : schedule.steps) {
            if (step.kind != StepKind::Node && step.kind != StepKind::Enter) continue;
            m_runs.emplace(m_graph[step.node].name, step.node);
            if (!m_first.valid()) m_first = step.node;
        }
        if (!m_plan.steps) return listBody(TopBody);
        for (const std::string& name : *m_plan.steps)
            listStep(name);
    }

    void listBody(BodyId body)
    {
        for (const NodeId node : m_graph[body].nodes) {
            listStep(m_graph[node].name);
            for (const BodyId inner : m_graph[node].bodies)
                listBody(inner);
        }
    }

    void listStep(const std::string& name)
    {
        const auto runs = m_runs.find(name);
        if (runs != m_runs.end()) m_last = runs->second;
        m_steps.push_back(m_last);
    }

    NodeId add(const PlanFile::Entry& entry, NodeId anchor)
    {
        const NodeId id(m_graph.nodes.size());
        Value value;
        value.name = entry.value;
        value.type = TensorType::dense(DType::UInt8, {entry.bytes});
        value.body = anchor.valid() ? m_graph[anchor].body : TopBody;
        value.producer = id;
        Node node;
        node.name = "inserted:" + entry.value;
        node.op = "Inserted";
        node.domain = "plimsoll";
        node.from.edit().origin = {"plimsoll", "Inserted", {}};
        node.body = value.body;
        node.attributes[std::string(Workspaces)] = std::int64_t {1};
        node.outputs = {ValueId(m_graph.values.size())};
        m_graph.values.push_back(std::move(value));
        m_graph.nodes.push_back(std::move(node));
        m_values.insert(entry.value);
        return id;
    }

    Graph& m_graph;
    const PlanFile& m_plan;
    std::unordered_set<std::string> m_scratch;
    std::unordered_set<std::string> m_values;
    std::unordered_map<std::string_view, NodeId> m_runs;
    std::vector<NodeId> m_steps; ///< By position in the steps of the plan: the last node up to it that runs.
    NodeId m_first;
    NodeId m_last;
};

} // namespace

Status addInserted(Dispatch& made, const PlanFile& plan)
{
    const bool any =
        std::ranges::any_of(plan.entries, [](const PlanFile::Entry& entry) { return entry.afterStep.has_value(); });
    return any ? InsertedBuffers(made.graph, plan).run() : Status();
}

} // namespace plimsoll::pipeline
