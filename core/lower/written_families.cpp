#include "core/lower/written_families.h"

#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll::dispatching {

WrittenFamilies::WrittenFamilies(const Graph& graph) : m_graph(graph), m_bytes(graph), m_position(graph.nodes.size(), 0)
{
    for (std::size_t body = 0; body < graph.bodies.size(); ++body) {
        addNodes(BodyId(body));
        addBorder(BodyId(body));
    }
}

WrittenFamilies::Family* WrittenFamilies::find(ValueId value)
{
    if (!value.valid() || !m_bytes.isChanged(value)) return nullptr;
    Family& family = m_families[m_bytes.root(value)];
    family.root = m_bytes.root(value);
    return &family;
}

void WrittenFamilies::addNodes(BodyId body)
{
    const std::vector<NodeId>& nodes = m_graph[body].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = m_graph[nodes[i]];
        if (body == TopBody) m_position[nodes[i].index()] = i;
        for (std::size_t input = 0; input < node.inputs.size(); ++input) {
            if (!m_graph.decided[nodes[i]].ahead || readsContent(m_graph, nodes[i], static_cast<int>(input)))
                touch(nodes[i], node.inputs[input]);
        }
        for (const ValueId output : node.outputs)
            touch(nodes[i], output);
        for (const AliasTrait& trait : aliasTraits(m_graph, nodes[i])) {
            if (trait.kind != AliasKind::Mutates) continue;
            Family* const family = find(node.inputs[static_cast<std::size_t>(trait.input)]);
            if (family) family->lastWrite = i;
        }
    }
}

void WrittenFamilies::touch(NodeId node, ValueId value)
{
    Family* const family = find(value);
    if (!family) return;
    const Node& info = m_graph[node];
    if (m_graph.decided[node].ahead) family->why = "they are read ahead of the run";
    if (info.body != TopBody || !info.bodies.empty()) family->why = "a nested graph uses them";
    if (family->nodes.empty() || family->nodes.back() != node) family->nodes.push_back(node);
}

void WrittenFamilies::addBorder(BodyId body)
{
    for (const ValueId output : m_graph[body].outputs) {
        Family* const family = find(output);
        if (family && body == TopBody) family->handedOut.push_back(output);
        if (family && body != TopBody) family->why = "a nested graph uses them";
    }
    for (const ValueId input : m_graph[body].inputs) {
        Family* const family = find(input);
        if (family && body != TopBody) family->why = "a nested graph uses them";
    }
}

const WrittenFamilies::Family* WrittenFamilies::of(ValueId value) const
{
    const auto found = m_families.find(m_bytes.root(value));
    return found == m_families.end() ? nullptr : &found->second;
}

std::optional<std::string> WrittenFamilies::deviceOf(ValueId value) const
{
    const Family* const family = of(value);
    return family ? std::optional(family->device) : std::nullopt;
}

std::string WrittenFamilies::obstacleOn(const Family& family, const std::string& device) const
{
    const Value& root = m_graph[family.root];
    if (!root.producer.valid() && root.at->space != device)
        return "the bytes of '" + root.name + "' are given in the memory of the CPU";
    if (root.role == ValueRole::Constant) return "'" + root.name + "' is a constant";
    for (const ValueId output : family.handedOut) {
        const NodeId producer = m_graph[output].producer;
        const bool last = producer.valid() && m_position[producer.index()] >= family.lastWrite;
        if (m_graph[output].at->space != device && !last)
            return "'" + m_graph[output].name + "', which shows what is written later, is handed out on the CPU";
    }
    return {};
}

} // namespace plimsoll::dispatching
