#include "core/lower/choose/dispatch_reorders.h"

#include "core/graph/graph.h"

#include <algorithm>
#include <set>

namespace plimsoll::dispatching {

void tellFused(Graph& graph)
{
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        const std::vector<FusedNode>& fused = graph.decided[NodeId(n)].fused;
        if (fused.empty()) continue;
        std::size_t position = ownInputs(graph, NodeId(n));
        for (const FusedOperand& operand : fusedOperands(graph, fused))
            graph[operand.node].inputs[static_cast<std::size_t>(operand.input)] = node.inputs[position++];
        graph[fused.back().node].outputs = node.outputs;
    }
}

ReorderInserter::ReorderInserter(Dispatch& dispatch, const Candidates& candidates)
    : m_graph(dispatch.graph), m_chosen(dispatch.implementations), m_candidates(candidates), m_nodes(dispatch.graph)
{
}

void ReorderInserter::run()
{
    std::set<ValueId> results;
    for (const Body& body : m_graph.bodies)
        results.insert(body.outputs.begin(), body.outputs.end());
    for (const ValueId value : results)
        reorderResult(value);
    visit(TopBody);
    m_nodes.rebuildOrder();
    tellFused(m_graph);
}

/// In the order in which they run, so that a reorder stands before its first reader.
void ReorderInserter::visit(BodyId body)
{
    for (const NodeId node : m_graph[body].nodes) {
        if (m_graph.decided[node].ahead) continue;
        prepareWeights(node);
        reorderInputs(node);
        const std::vector<BodyId> bodies = m_graph[node].bodies;
        for (const BodyId inner : bodies)
            visit(inner);
    }
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

Implementation ReorderInserter::reorderOf(const std::string& backend, ValueId value, std::string_view from,
                                          std::string_view to) const
{
    Implementation how = reorderBy(backend, from, to, {bytesOf(value, from), bytesOf(value, to)});
    const LayoutNames& names = m_candidates.layouts;
    const auto measured = m_candidates.measuredReorderMs(asked(value), names.find(from), names.find(to));
    if (!measured) return how;
    how.timeMs = *measured;
    how.provenance = "measured";
    return how;
}

/// What was asked about a result holds of the value that is written instead.
ValueId ReorderInserter::asked(ValueId value) const
{
    const auto result = m_insteadOf.find(value);
    return result == m_insteadOf.end() ? value : result->second;
}

std::int64_t ReorderInserter::bytesOf(ValueId value, std::string_view layout) const
{
    return m_candidates.bytesOf(m_graph, asked(value), m_candidates.layouts.find(layout));
}

/// What asked for the layout brings values there; a device does not.
std::string ReorderInserter::backendFor(NodeId reader, ValueId value) const
{
    const Implementation& own = m_chosen[reader];
    const NodeId producer = m_graph[value].producer;
    const bool reorders = own.backend != ReferenceBackend && own.device.empty();
    return reorders || !producer.valid() ? own.backend : m_chosen[producer].backend;
}

NodeId ReorderInserter::addReorder(ValueId source, ValueId target, const Implementation& how)
{
    const NodeId id = m_nodes.addNode("Reorder", "reorder", source, target);
    m_graph[id].attributes["from"] = how.inputLayouts.front();
    m_graph[id].attributes["to"] = how.outputLayouts.front();
    m_chosen.at(id) = how;
    return id;
}

void ReorderInserter::prepareWeights(NodeId node)
{
    const std::vector<Implementation::Prepared> wanted = m_chosen[node].prepared;
    for (const Implementation::Prepared& weight : wanted) {
        const auto input = static_cast<std::size_t>(weight.input);
        const ValueId source = m_graph[node].inputs[input];
        auto [made, isNew] = m_made.try_emplace({source, weight.layout, weight.readAs, weight.storedAs});
        if (isNew) {
            made->second = m_nodes.addValue(source, weight.layout);
            const NodeId reorder = addReorder(source, made->second,
                                              reorderBy(m_chosen[node].backend, PlainLayout, weight.layout,
                                                        {bytesOf(source, PlainLayout), weight.bytes}));
            m_nodes.moveAhead(reorder);
            if (!weight.readAs.empty()) m_graph[reorder].attributes["readAs"] = weight.readAs;
            if (!weight.storedAs.empty()) m_graph[reorder].attributes["from"] = weight.storedAs;
            m_nodes.putBefore(node, source, reorder);
        }
        m_graph[node].inputs[input] = made->second;
        auto& layouts = m_chosen.at(node).inputLayouts;
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
        const std::string to(inputLayout(m_chosen[node], static_cast<int>(i)));
        if (from == to) continue;
        auto [made, isNew] = m_made.try_emplace({source, to, {}, {}});
        if (isNew) {
            made->second = m_nodes.addValue(source, to);
            const NodeId reorder =
                addReorder(source, made->second, reorderOf(backendFor(node, source), source, from, to));
            if (isKnownAhead(m_graph, source)) m_nodes.moveAhead(reorder);
            m_nodes.putBefore(node, source, reorder);
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
    const ValueId inner = m_nodes.replaceWritten(value, layout);
    for (Node& node : m_graph.nodes)
        std::ranges::replace(node.inputs, value, inner);
    m_made[{inner, std::string(PlainLayout), {}, {}}] = value;
    m_insteadOf[inner] = value;
    m_nodes.putBehind(producer,
                      addReorder(inner, value, reorderOf(m_chosen[producer].backend, value, layout, PlainLayout)));
}

} // namespace plimsoll::dispatching
