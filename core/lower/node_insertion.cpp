#include "core/lower/node_insertion.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// The node of \p body that \p node is, or that it is nested in.
NodeId ancestorIn(const Graph& graph, BodyId body, NodeId node)
{
    while (graph[node].body != body)
        node = graph[graph[node].body].owner;
    return node;
}

void append(std::vector<NodeId>& order, const std::vector<NodeId>& nodes)
{
    order.insert(order.end(), nodes.begin(), nodes.end());
}

} // namespace

NodeInserter::NodeInserter(Graph& graph) : m_graph(graph), m_names(graph) {}

ValueId NodeInserter::addValue(ValueId like, const std::string& suffix)
{
    Value value;
    value.name = m_names.forValue(m_graph[like].name + ":" + suffix);
    value.type = m_graph[like].type;
    value.at = LiesAt {.space = m_graph[like].at->space};
    value.body = m_graph[like].body;
    m_graph.values.push_back(std::move(value));
    return ValueId(m_graph.values.size() - 1);
}

NodeId NodeInserter::addNode(const std::string& op, const std::string& prefix, ValueId source, ValueId target)
{
    const NodeId id(m_graph.nodes.size());
    Node node;
    node.name = m_names.forNode(prefix + ":" + m_graph[target].name);
    node.op = op;
    node.domain = "plimsoll";
    node.inputs = {source};
    node.outputs = {target};
    node.body = m_graph[target].body;
    node.from.edit().origin = {"plimsoll", op, {}};
    m_graph[target].producer = id;
    m_graph[target].producerOutput = 0;
    m_graph.nodes.push_back(std::move(node));
    return id;
}

void NodeInserter::putBefore(NodeId reader, ValueId source, NodeId node)
{
    m_before[ancestorIn(m_graph, m_graph[source].body, reader)].push_back(node);
}

void NodeInserter::moveAhead(NodeId node)
{
    m_graph.decided.at(node).ahead = true;
    m_graph[m_graph[node].outputs.front()].role = ValueRole::Constant;
}

ValueId NodeInserter::replaceWritten(ValueId value, const std::string& suffix)
{
    const NodeId producer = m_graph[value].producer;
    const auto position = static_cast<std::size_t>(m_graph[value].producerOutput);
    const ValueId inner = addValue(value, suffix);
    m_graph[inner].producer = producer;
    m_graph[inner].producerOutput = static_cast<int>(position);
    m_graph[producer].outputs[position] = inner;
    m_graph[value].producer = NodeId();
    return inner;
}

void NodeInserter::rebuildOrder()
{
    for (std::size_t index = 0; index < m_graph.bodies.size(); ++index) {
        std::vector<NodeId> order;
        for (const NodeId node : m_graph.bodies[index].nodes) {
            append(order, m_before[node]);
            order.push_back(node);
            append(order, m_behind[node]);
        }
        append(order, m_atEnd[BodyId(index)]);
        m_graph.bodies[index].nodes = std::move(order);
    }
}

bool isKnownAhead(const Graph& graph, ValueId value)
{
    const ValueRole role = graph[value].role;
    return role == ValueRole::Parameter || role == ValueRole::Constant;
}

} // namespace plimsoll
