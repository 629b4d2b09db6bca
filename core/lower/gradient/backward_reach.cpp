#include "core/lower/gradient/backward_reach.h"

#include "core/lower/gradient/backward_node.h"

#include <algorithm>
#include <span>

namespace plimsoll {

Reach::Reach(const Graph& graph, const DerivativeSet& derivatives)
    : m_graph(graph), m_captured(graph.nodes.size()), requiresGrad(graph.values.size()),
      contributions(graph.values.size()), reached(graph.values.size())
{
    findCaptures();
    for (const Value& value : graph.values)
        requiresGrad[static_cast<std::size_t>(&value - graph.values.data())] =
            value.requiresGrad && !value.producer.valid();
    for (const NodeId id : graph.top().nodes)
        passOn(id, derivatives.find(graph, id));
}

Status Reach::walk(const DerivativeSet& derivatives)
{
    reached[m_graph.loss.index()] = true;
    const std::vector<NodeId>& nodes = m_graph.top().nodes;
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id)
        PLIMSOLL_TRY(walkNode(*id, derivatives.find(m_graph, *id)));
    return {};
}

/// What their nodes read of the graph itself, and what they hand out of it as it is.
void Reach::findCaptures()
{
    for (std::size_t index = 1; index < m_graph.bodies.size(); ++index) {
        const Body& body = m_graph.bodies[index];
        NodeId owner = body.owner;
        while (m_graph[owner].body != TopBody)
            owner = m_graph[m_graph[owner].body].owner;
        const auto note = [&](ValueId value) {
            if (value.valid() && m_graph[value].body == TopBody) m_captured[owner.index()].push_back(value);
        };
        for (const NodeId node : body.nodes)
            std::for_each(m_graph[node].inputs.begin(), m_graph[node].inputs.end(), note);
        std::for_each(body.outputs.begin(), body.outputs.end(), note);
    }
}

bool Reach::any(std::span<const ValueId> values, const std::vector<bool>& flags) const
{
    return std::ranges::any_of(values, [&](ValueId value) { return value.valid() && flags[value.index()]; });
}

/// Without a derivative all outputs could depend on all inputs; the walk back finds out whether it matters.
void Reach::passOn(NodeId id, const Derivative* derivative)
{
    const Node& node = m_graph[id];
    bool depends = any(node.inputs, requiresGrad) || any(m_captured[id.index()], requiresGrad);
    if (derivative) {
        const std::vector<bool> inputs = inputsWithGradient(m_graph, id, *derivative, requiresGrad);
        depends = std::ranges::find(inputs, true) != inputs.end();
    }
    if (!depends) return;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const ValueId output = node.outputs[i];
        if (output.valid() && isFloatingPoint(m_graph[output].type.dtype)) requiresGrad[output.index()] = true;
    }
}

Status Reach::walkNode(NodeId id, const Derivative* derivative)
{
    const Node& node = m_graph[id];
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const ValueId output = node.outputs[i];
        if (!output.valid() || !reached[output.index()] || !requiresGrad[output.index()]) continue;
        const std::string where = "node '" + node.name + "' (" + qualifiedOp(node) + ")";
        if (!derivative) return Error {ErrorCode::BadInput, say("gradient.loss-depends-on"), where, {}};
        if (!passesGradient(*derivative, i))
            return Error {ErrorCode::BadInput,
                          say("gradient.loss-depends-on-output", word::Name {m_graph[output].name}),
                          where,
                          {}};
    }
    if (!derivative || !any(node.outputs, reached)) return {};
    const std::vector<bool> inputs = inputsWithGradient(m_graph, id, *derivative, requiresGrad);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i]) continue;
        reached[node.inputs[i].index()] = true;
        ++contributions[node.inputs[i].index()];
    }
    return {};
}

} // namespace plimsoll
