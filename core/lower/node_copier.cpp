#include "core/lower/node_copier.h"

#include <tuple>
#include <utility>

namespace plimsoll {

NodeCopier::NodeCopier(Graph& graph, FreeNames& names, std::string suffix)
    : m_graph(graph), m_names(names), m_suffix(std::move(suffix))
{
}

ValueId NodeCopier::mapped(ValueId value) const
{
    const auto found = m_values.find(value);
    return found == m_values.end() ? value : found->second;
}

/// Inside an owner the path in front says whose it is, and the rest stays.
std::string NodeCopier::renamed(const std::string& name) const
{
    const bool inside = !m_oldPath.empty() && name.starts_with(m_oldPath);
    return inside ? m_newPath + name.substr(m_oldPath.size()) : name + m_suffix;
}

ValueId NodeCopier::copySource(ValueId id, BodyId body)
{
    Value value = m_graph[id];
    value.name = m_names.forValue(renamed(value.name));
    value.body = body;
    value.producer = {};
    value.requiresGrad = false;
    value.gradientRequest.reset();
    if (value.at->pinnedOffset) value.at.edit().pinnedOffset.reset();
    const ValueId copy(m_graph.values.size());
    m_graph.values.push_back(std::move(value));
    map(id, copy);
    return copy;
}

NodeId NodeCopier::copy(NodeId id, BodyId body)
{
    const NodeId copied(m_graph.nodes.size());
    Node node = m_graph[id];
    node.name = m_names.forNode(renamed(node.name));
    node.body = body;
    const std::vector<BodyId> bodies = std::exchange(node.bodies, {});
    for (ValueId& input : node.inputs)
        input = mapped(input);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        ValueId& output = node.outputs[i];
        if (!output.valid()) continue;
        output = m_values.contains(output) ? m_values.at(output) : copySource(output, body);
        m_graph[output].producer = copied;
        m_graph[output].producerOutput = static_cast<int>(i);
    }
    m_graph.nodes.push_back(std::move(node));
    m_graph.decided.copy(id, copied);
    const auto outerPaths =
        std::pair(std::exchange(m_oldPath, m_graph[id].name), std::exchange(m_newPath, m_graph[copied].name));
    for (const BodyId inner : bodies)
        copyBody(inner, copied);
    std::tie(m_oldPath, m_newPath) = outerPaths;
    return copied;
}

void NodeCopier::copyBody(BodyId from, NodeId owner)
{
    const Body original = m_graph[from];
    const BodyId target(m_graph.bodies.size());
    Body body;
    body.name = original.name;
    body.owner = owner;
    m_graph.bodies.push_back(body);
    m_graph[owner].bodies.push_back(target);
    const std::size_t count = m_graph.values.size();
    for (std::size_t i = 0; i < count; ++i) {
        const bool source = m_graph.values[i].body == from && !m_graph.values[i].producer.valid();
        if (source) copySource(ValueId(i), target);
    }
    for (const NodeId node : original.nodes)
        body.nodes.push_back(copy(node, target));
    for (const ValueId input : original.inputs)
        body.inputs.push_back(mapped(input));
    for (const ValueId output : original.outputs)
        body.outputs.push_back(mapped(output));
    m_graph[target] = std::move(body);
}

} // namespace plimsoll
