#include "core/transform/dispatch_reorders.h"

#include <algorithm>

namespace plimsoll::dispatching {

ReorderInserter::ReorderInserter(Dispatch& dispatch, const Candidates& candidates)
    : m_graph(dispatch.graph), m_chosen(dispatch.implementations), m_candidates(candidates)
{
    for (const Value& value : m_graph.values)
        m_names.insert(value.name);
    for (const Node& node : m_graph.nodes)
        m_names.insert(node.name);
}

void ReorderInserter::run()
{
    std::set<ValueId> results;
    for (const Body& body : m_graph.bodies)
        results.insert(body.outputs.begin(), body.outputs.end());
    for (const ValueId value : results)
        reorderResult(value);
    visit(TopBody);
    rebuildOrder();
}

/// In the order in which they run, so that a reorder stands before its first reader.
void ReorderInserter::visit(BodyId body)
{
    for (const NodeId node : m_graph[body].nodes) {
        if (m_graph[node].ahead) continue;
        prepareWeights(node);
        reorderInputs(node);
        const std::vector<BodyId> bodies = m_graph[node].bodies;
        for (const BodyId inner : bodies)
            visit(inner);
    }
}

std::string ReorderInserter::freeName(const std::string& base)
{
    std::string name = base;
    for (int number = 2; !m_names.insert(name).second; ++number)
        name = base + "#" + std::to_string(number);
    return name;
}

ValueId ReorderInserter::addValue(ValueId like, const std::string& layout)
{
    Value value;
    value.name = freeName(m_graph[like].name + ":" + layout);
    value.type = m_graph[like].type;
    value.space = m_graph[like].space;
    value.body = m_graph[like].body;
    m_graph.values.push_back(std::move(value));
    return ValueId(m_graph.values.size() - 1);
}

Implementation ReorderInserter::reorderBy(const std::string& backend, std::string_view from, std::string_view to,
                                          const Moved& bytes) const
{
    Implementation how;
    how.backend = backend;
    how.name = "reorder";
    how.inputLayouts = {std::string(from)};
    how.outputLayouts = {std::string(to)};
    how.requiredOutputBytes = {bytes.written};
    how.inPlaceKnown = true;
    how.timeMs = reorderMs(bytes.read + bytes.written);
    how.provenance = "estimated";
    return how;
}

/// What was asked about a result holds of the value that is written instead.
std::int64_t ReorderInserter::bytesOf(ValueId value, std::string_view layout) const
{
    const auto result = m_insteadOf.find(value);
    LayoutNames names = m_candidates.layouts;
    return m_candidates.bytesOf(m_graph, result == m_insteadOf.end() ? value : result->second, names.idOf(layout));
}

/// Whoever asked for the layout brings values there.
std::string ReorderInserter::backendFor(NodeId reader, ValueId value) const
{
    const std::string& own = m_chosen[reader.index()].backend;
    const NodeId producer = m_graph[value].producer;
    return own != "reference" || !producer.valid() ? own : m_chosen[producer.index()].backend;
}

NodeId ReorderInserter::addReorder(ValueId source, ValueId target, const Implementation& how)
{
    const NodeId id(m_graph.nodes.size());
    Node node;
    node.name = freeName("reorder:" + m_graph[target].name);
    node.op = "Reorder";
    node.domain = "plimsoll";
    node.inputs = {source};
    node.outputs = {target};
    node.body = m_graph[target].body;
    node.origin = {"plimsoll", "Reorder", {}};
    node.attributes["from"] = how.inputLayouts.front();
    node.attributes["to"] = how.outputLayouts.front();
    m_graph[target].producer = id;
    m_graph.nodes.push_back(std::move(node));
    m_chosen.push_back(how);
    return id;
}

/// The node of \p body that \p node is, or that it is nested in.
NodeId ReorderInserter::ancestorIn(BodyId body, NodeId node) const
{
    while (m_graph[node].body != body)
        node = m_graph[m_graph[node].body].owner;
    return node;
}

bool ReorderInserter::isKnownAhead(ValueId value) const
{
    const ValueRole role = m_graph[value].role;
    return role == ValueRole::Parameter || role == ValueRole::Constant;
}

/// Weights are reordered once, before the first step.
void ReorderInserter::moveAhead(NodeId reorder)
{
    m_graph[reorder].ahead = true;
    m_graph[m_graph[reorder].outputs.front()].role = ValueRole::Constant;
}

void ReorderInserter::prepareWeights(NodeId node)
{
    const std::vector<Implementation::Prepared> wanted = m_chosen[node.index()].prepared;
    for (const Implementation::Prepared& weight : wanted) {
        const auto input = static_cast<std::size_t>(weight.input);
        const ValueId source = m_graph[node].inputs[input];
        auto [made, isNew] = m_made.try_emplace({source, weight.layout, weight.readAs});
        if (isNew) {
            made->second = addValue(source, weight.layout);
            const NodeId reorder = addReorder(source, made->second,
                                              reorderBy(m_chosen[node.index()].backend, PlainLayout, weight.layout,
                                                        {bytesOf(source, PlainLayout), weight.bytes}));
            moveAhead(reorder);
            if (!weight.readAs.empty()) m_graph[reorder].attributes["readAs"] = weight.readAs;
            m_before[ancestorIn(m_graph[source].body, node)].push_back(reorder);
        }
        m_graph[node].inputs[input] = made->second;
        auto& layouts = m_chosen[node.index()].inputLayouts;
        if (layouts.size() <= input) layouts.resize(input + 1, std::string(PlainLayout));
        layouts[input] = weight.layout;
    }
}

void ReorderInserter::reorderInputs(NodeId node)
{
    for (std::size_t i = 0; i < m_graph[node].inputs.size(); ++i) {
        const ValueId source = m_graph[node].inputs[i];
        if (!source.valid()) continue;
        const std::string from(layoutOf(m_graph, m_chosen, source));
        const std::string to(inputLayout(m_chosen[node.index()], static_cast<int>(i)));
        if (from == to) continue;
        auto [made, isNew] = m_made.try_emplace({source, to, {}});
        if (isNew) {
            made->second = addValue(source, to);
            const Moved bytes {bytesOf(source, from), bytesOf(source, to)};
            const NodeId reorder =
                addReorder(source, made->second, reorderBy(backendFor(node, source), from, to, bytes));
            if (isKnownAhead(source)) moveAhead(reorder);
            m_before[ancestorIn(m_graph[source].body, node)].push_back(reorder);
        }
        m_graph[node].inputs[i] = made->second;
    }
}

/// What is handed out keeps its name and is plain: the producer writes another value from now on.
void ReorderInserter::reorderResult(ValueId value)
{
    const std::string layout(layoutOf(m_graph, m_chosen, value));
    if (layout == PlainLayout) return;
    const NodeId producer = m_graph[value].producer;
    const auto position = static_cast<std::size_t>(m_graph[value].producerOutput);
    const ValueId inner = addValue(value, layout);
    m_graph[inner].producer = producer;
    m_graph[inner].producerOutput = static_cast<int>(position);
    m_graph[producer].outputs[position] = inner;
    for (Node& node : m_graph.nodes)
        std::replace(node.inputs.begin(), node.inputs.end(), value, inner);
    m_graph[value].producerOutput = 0;
    m_made[{inner, std::string(PlainLayout), {}}] = value;
    m_insteadOf[inner] = value;
    const Moved bytes {bytesOf(value, layout), bytesOf(value, PlainLayout)};
    m_behind[producer].push_back(
        addReorder(inner, value, reorderBy(m_chosen[producer.index()].backend, layout, PlainLayout, bytes)));
}

void ReorderInserter::rebuildOrder()
{
    for (Body& body : m_graph.bodies) {
        std::vector<NodeId> order;
        for (const NodeId node : body.nodes) {
            const auto& before = m_before[node];
            order.insert(order.end(), before.begin(), before.end());
            order.push_back(node);
            const auto& behind = m_behind[node];
            order.insert(order.end(), behind.begin(), behind.end());
        }
        body.nodes = std::move(order);
    }
}

} // namespace plimsoll::dispatching
