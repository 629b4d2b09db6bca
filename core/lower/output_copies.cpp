#include "core/lower/output_copies.h"

#include "core/ops/op_traits.h"
#include "core/ops/saving.h"

#include <algorithm>

namespace plimsoll {

std::string OutputCopier::nameFor(ValueId source)
{
    const std::string name = m_graph[source].name;
    const NodeId producer = m_graph[source].producer;
    if (!producer.valid() || !isBackward(m_graph, producer)) return m_names.forValue(name + ":copy");
    m_graph[source].name = m_names.forValue(name + "#1");
    return name;
}

OutputCopier::OutputCopier(Graph& graph) : m_graph(graph), m_names(graph) {}

ValueId OutputCopier::copy(ValueId source, std::string_view why)
{
    const ValueId target(m_graph.values.size());
    const NodeId id(m_graph.nodes.size());
    Value value;
    value.name = nameFor(source);
    value.type = m_graph[source].type;
    value.at = LiesAt {.space = m_graph[source].at->space};
    value.body = m_graph[source].body;
    value.producer = id;
    Node node;
    node.name = m_names.forNode("copy:" + m_graph[source].name);
    node.op = "Identity";
    node.inputs = {source};
    node.outputs = {target};
    node.body = value.body;
    node.from.edit().origin = {"plimsoll", "Identity", std::string(why)};
    std::vector<NodeId>& order = m_graph[value.body].nodes;
    const auto producer = std::ranges::find(order, m_graph[source].producer);
    order.insert(producer == order.end() ? order.begin() : producer + 1, id);
    m_graph.values.push_back(std::move(value));
    m_graph.nodes.push_back(std::move(node));
    return target;
}

namespace {

/// By ValueId: whether the value is a view or a version of another, or has a version.
std::vector<bool> findTied(const Graph& graph)
{
    std::vector<bool> tied(graph.values.size(), false);
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        for (const AliasTrait& trait : aliasTraits(graph, NodeId(node))) {
            if (trait.kind != AliasKind::View && trait.kind != AliasKind::Mutates) continue;
            const ValueId input = graph.nodes[node].inputs[static_cast<std::size_t>(trait.input)];
            const ValueId output = graph.nodes[node].outputs[static_cast<std::size_t>(trait.output)];
            if (output.valid()) tied[output.index()] = true;
            if (input.valid() && trait.kind == AliasKind::Mutates) tied[input.index()] = true;
        }
    }
    return tied;
}

/// Whether it is a gradient that is added to a buffer of the caller's, which has it already.
bool isInCallersBuffer(const Graph& graph, ValueId output)
{
    ValueId value = output;
    while (graph[value].producer.valid() && isBackward(graph, graph[value].producer)) {
        const std::vector<AliasTrait> traits = aliasTraits(graph, graph[value].producer);
        const auto written = std::ranges::find_if(traits, [&](const AliasTrait& trait) {
            return trait.kind == AliasKind::Mutates && trait.output == graph[value].producerOutput;
        });
        if (written == traits.end()) return false;
        value = graph[graph[value].producer].inputs[static_cast<std::size_t>(written->input)];
    }
    return value != output && graph[value].role == ValueRole::Input;
}

} // namespace

Graph copySharedOutputs(Graph graph, const DecisionLog& log)
{
    const std::vector<bool> tied = findTied(graph);
    OutputCopier inserter(graph);
    std::vector<bool> taken(graph.values.size(), false);
    for (std::size_t i = 0; i < graph.top().outputs.size(); ++i) {
        const ValueId output = graph.top().outputs[i];
        const Value& value = graph[output];
        const bool computed = value.role == ValueRole::Intermediate && !graph.decided[value.producer].ahead;
        const char* rule = !computed               ? "pass-through"
                           : taken[output.index()] ? "same-entry"
                           : tied[output.index()]  ? "view"
                                                   : nullptr;
        taken[output.index()] = true;
        if (!rule || isInCallersBuffer(graph, output)) continue;
        const ValueId copy = inserter.copy(output, "outputs=external");
        graph[TopBody].outputs[i] = copy;
        if (!log.recording()) continue;
        log.add({DecisionKind::Copy, graph[copy].name, graph[output].name, true, rule,
                 say("output-copy", word::Number {i}, word::Name {graph[output].name}),
                 graph[output].type.bytes().value_or(0)});
    }
    return graph;
}

} // namespace plimsoll
