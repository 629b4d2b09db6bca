#include "core/ops/arena_rules.h"
#include "core/pipeline_stages.h"
#include "core/transform/node_insertion.h"

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
    InsertedBuffers(Dispatch& made, const PlanFile& plan) : m_made(made), m_graph(made.graph), m_plan(plan)
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
            if (*entry.afterStep < 0)
                order.putBefore(anchor, m_graph[node].outputs.front(), node);
            else
                order.putBehind(anchor, node);
        }
        order.rebuildOrder();
        return {};
    }

private:
    /// The node at that position, or the first one.
    Result<NodeId> anchorOf(Position position, const PlanFile::Entry& entry)
    {
        if (m_steps.empty()) listSteps();
        const auto index = static_cast<std::size_t>(std::max<Position>(position, 0));
        if (position >= -1 && index < m_steps.size()) return m_steps[index];
        return Error {ErrorCode::BadInput,
                      "'" + entry.value + "' is inserted after step " + std::to_string(position) +
                          ", and the plan has " + std::to_string(m_steps.size()) + " steps.",
                      "inserted", m_plan.file};
    }

    /// As the plan lists them, else in the captured order.
    void listSteps()
    {
        std::unordered_map<std::string_view, NodeId> nodes;
        for (const Step& step : scheduleInCapturedOrder(m_graph).steps) {
            if (step.kind != StepKind::Node && step.kind != StepKind::Enter) continue;
            nodes.emplace(m_graph[step.node].name, step.node);
            if (!m_plan.steps) m_steps.push_back(step.node);
        }
        if (!m_plan.steps) return;
        for (const std::string& name : *m_plan.steps) {
            const auto node = nodes.find(name);
            if (node != nodes.end()) m_last = node->second;
            if (m_last.valid()) m_steps.push_back(m_last); // what does not run keeps its position
        }
    }

    NodeId add(const PlanFile::Entry& entry, NodeId anchor)
    {
        const NodeId id(m_graph.nodes.size());
        Value value;
        value.name = entry.value;
        value.type = TensorType::dense(DType::UInt8, {entry.bytes});
        value.body = *entry.afterStep < 0 ? TopBody : m_graph[anchor].body;
        value.producer = id;
        Node node;
        node.name = "inserted:" + entry.value;
        node.op = "Inserted";
        node.domain = "plimsoll";
        node.origin = {"plimsoll", "Inserted", {}};
        node.body = value.body;
        node.attributes[std::string(Workspaces)] = std::int64_t {1};
        node.outputs = {ValueId(m_graph.values.size())};
        m_graph.values.push_back(std::move(value));
        m_graph.nodes.push_back(std::move(node));
        m_made.implementations.emplace_back();
        m_values.insert(entry.value);
        return id;
    }

    Dispatch& m_made;
    Graph& m_graph;
    const PlanFile& m_plan;
    std::unordered_set<std::string> m_scratch;
    std::unordered_set<std::string> m_values;
    std::vector<NodeId> m_steps; ///< By position in the steps of the plan.
    NodeId m_last;
};

} // namespace

Status addInserted(Dispatch& made, const PlanFile& plan)
{
    const bool any =
        std::ranges::any_of(plan.entries, [](const PlanFile::Entry& entry) { return entry.afterStep.has_value(); });
    return any ? InsertedBuffers(made, plan).run() : Status();
}

} // namespace plimsoll::pipeline
