#include "core/pipeline/stages.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace plimsoll::pipeline {
namespace {

/// Where each node stands in the steps of a plan.
using Positions = std::vector<std::int64_t>; ///< By NodeId; -1 where the plan does not name it.

Result<Positions> positionsOf(const Graph& graph, const std::vector<std::string>& steps)
{
    std::unordered_map<std::string_view, NodeId> nodes;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        nodes.emplace(graph.nodes[node].name, NodeId(node));
    Positions at(graph.nodes.size(), -1);
    for (std::size_t index = 0; index < steps.size(); ++index) {
        const std::string where = "steps[" + std::to_string(index) + "]";
        const auto node = nodes.find(steps[index]);
        if (node == nodes.end()) {
            return Error {ErrorCode::BadInput,
                          say("plan.no-such", "node", word::Name {steps[index]}, say("plan.other-graph")),
                          where,
                          {}};
        }
        std::int64_t& position = at[node->second.index()];
        if (position >= 0) {
            return Error {ErrorCode::BadInput,
                          say("plan.named-twice", word::Name {steps[index]}, word::Number {position}),
                          where,
                          {}};
        }
        position = static_cast<std::int64_t>(index);
    }
    return at;
}

/// The nodes of one body in the order of a plan. What the plan does not name (reorders, copies, buffers of a planner)
/// goes with what it stands beside in the graph:
///
///     graph   a  copy(a)  b  reorder(x)  c       copy reads a; c reads reorder
///     plan    c  b  a                     ──►    reorder(x)  c  b  a  copy(a)
class BodyOrder
{
public:
    BodyOrder(const Graph& graph, const Uses& uses, const Positions& at, BodyId body)
        : m_graph(graph), m_uses(uses), m_at(at), m_body(body)
    {
        for (const NodeId node : graph[body].nodes) {
            if (isListed(node)) m_listed.push_back(node);
        }
    }

    std::vector<NodeId> run()
    {
        const auto position = [this](NodeId node) { return m_at[node.index()]; };
        if (std::ranges::is_sorted(m_listed, {}, position)) return m_graph[m_body].nodes;
        const std::vector<NodeId> captured = m_listed;
        std::ranges::sort(m_listed, {}, position);
        auto next = captured.begin();
        for (const NodeId node : m_graph[m_body].nodes) {
            if (isListed(node))
                ++next;
            else
                put(node, next == captured.begin() ? NodeId() : *(next - 1), next == captured.end() ? NodeId() : *next);
        }
        std::vector<NodeId> order = std::move(m_front);
        for (const NodeId node : m_listed) {
            append(order, m_before[node]);
            order.push_back(node);
            append(order, m_behind[node]);
        }
        append(order, m_atEnd);
        return order;
    }

private:
    [[nodiscard]] bool isListed(NodeId node) const { return m_at[node.index()] >= 0; }

    static void append(std::vector<NodeId>& order, const std::vector<NodeId>& nodes)
    {
        order.insert(order.end(), nodes.begin(), nodes.end());
    }

    /// Between two named nodes of the captured order; either may be missing.
    void put(NodeId node, NodeId before, NodeId behind)
    {
        const auto isOf = [&](ValueId value) {
            const NodeId maker = value.valid() ? m_graph[value].producer : NodeId();
            const auto carried = m_with.find(maker);
            return maker.valid() && (maker == before || (carried != m_with.end() && carried->second == before));
        };
        const bool follows = before.valid() && std::ranges::any_of(m_graph[node].inputs, isOf);
        const NodeId reader = firstReader(node);
        if (follows || (!reader.valid() && before.valid() && m_graph[node].inputs.empty())) {
            m_with[node] = before;
            m_behind[before].push_back(node);
        } else if (reader.valid() || behind.valid()) {
            m_before[reader.valid() ? reader : behind].push_back(node);
        } else {
            (before.valid() ? m_atEnd : m_front).push_back(node);
        }
    }

    /// The first in the order of the plan that reads what the node makes, through others that it does not name, too.
    [[nodiscard]] NodeId firstReader(NodeId node) const
    {
        NodeId first;
        std::vector<NodeId> open = {node};
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (const ValueId output : m_graph[open[i]].outputs) {
                if (!output.valid()) continue;
                for (const Uses::Read& read : m_uses.reads[output.index()]) {
                    const NodeId reader = inBody(read.node);
                    if (!reader.valid()) continue;
                    if (!isListed(reader) && std::ranges::find(open, reader) == open.end()) open.push_back(reader);
                    if (isListed(reader) && (!first.valid() || m_at[reader.index()] < m_at[first.index()]))
                        first = reader;
                }
            }
        }
        return first;
    }

    /// The node of the body that it is, or is nested in.
    [[nodiscard]] NodeId inBody(NodeId node) const
    {
        while (node.valid() && m_graph[node].body != m_body)
            node = m_graph[m_graph[node].body].owner;
        return node;
    }

    const Graph& m_graph;
    const Uses& m_uses;
    const Positions& m_at;
    BodyId m_body;
    std::vector<NodeId> m_listed;
    std::map<NodeId, std::vector<NodeId>> m_before;
    std::map<NodeId, std::vector<NodeId>> m_behind;
    std::map<NodeId, NodeId> m_with; ///< What is put behind a node, and that node.
    std::vector<NodeId> m_front;
    std::vector<NodeId> m_atEnd;
};

/// A nested node runs while its owner does: behind it, and before what follows the owner.
std::vector<Finding> misplaced(const Graph& graph, const Schedule& schedule, const Positions& at)
{
    std::vector<Finding> found;
    for (std::size_t body = 1; body < graph.bodies.size(); ++body) {
        const NodeId owner = graph.bodies[body].owner;
        if (!owner.valid() || at[owner.index()] < 0) continue;
        const auto& beside = schedule.order[graph[owner].body.index()];
        const auto next = std::find_if(std::ranges::find(beside, owner), beside.end(),
                                       [&](NodeId node) { return at[node.index()] > at[owner.index()]; });
        const auto isOutside = [&](NodeId node) {
            const std::int64_t own = at[node.index()];
            return own >= 0 && (own < at[owner.index()] || (next != beside.end() && own > at[next->index()]));
        };
        const auto outside = std::ranges::find_if(graph.bodies[body].nodes, isOutside);
        if (outside == graph.bodies[body].nodes.end()) continue;
        Finding finding;
        finding.rule = Rule::Order;
        finding.severity = ruleSeverity(finding.rule);
        finding.nodes = {*outside, owner};
        finding.steps = schedule.nodes[outside->index()];
        finding.message = say("order.outside", word::Name {graph[*outside].name}, word::Name {graph[owner].name},
                              word::Number {at[outside->index()]});
        finding.fix = say("fix.order-inside", word::Name {graph[*outside].name}, word::Name {graph[owner].name});
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace

Result<PlanOrder> orderFor(const Graph& graph, const PlanRequest& request)
{
    if (!request.givenPlan || !request.givenPlan->steps) return PlanOrder {scheduleInCapturedOrder(graph), {}};
    auto at = positionsOf(graph, *request.givenPlan->steps);
    if (!at.ok()) {
        Error error = at.error();
        error.file = request.givenPlan->file;
        return error;
    }
    const Uses uses = findUses(graph);
    std::vector<std::vector<NodeId>> order;
    for (std::size_t body = 0; body < graph.bodies.size(); ++body)
        order.push_back(BodyOrder(graph, uses, at.value(), BodyId(body)).run());
    PlanOrder made {scheduleInOrder(graph, std::move(order)), {}};
    made.misplaced = misplaced(graph, made.schedule, at.value());
    return made;
}

} // namespace plimsoll::pipeline
