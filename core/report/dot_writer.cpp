#include "core/picture/storage_colours.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

#include "core/base/bytes.h"
#include "core/graph/graph.h"

namespace plimsoll {
namespace {

/// Names on edges help in small graphs and bury large ones.
constexpr std::size_t MostNamedEdges = 150;

class DotWriter
{
public:
    explicit DotWriter(const Report& report)
        : m_report(report), m_graph(*report.program.graph), m_colours(colourStorages(report.program))
    {
    }

    std::string write()
    {
        m_text += "digraph \"" + escapeDot(m_graph.name) +
                  "\" {\n  rankdir=TB; compound=true;\n"
                  "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", fontname=\"sans-serif\", "
                  "fontsize=10];\n"
                  "  edge [fontname=\"sans-serif\", fontsize=8, penwidth=2];\n";
        for (const ValueId input : m_graph.top().inputs)
            valueNode(input, "ellipse", "  ");
        body(TopBody, "  ");
        for (std::size_t i = 0; i < m_graph.top().outputs.size(); ++i) {
            const std::string id = "o" + std::to_string(i);
            const ValueId value = m_graph.top().outputs[i];
            m_text += "  " + id + " [shape=ellipse, label=\"" + escapeDot(m_graph[value].name) + "\"];\n";
            edge(value, id);
        }
        edges();
        events();
        return m_text + "}\n";
    }

private:
    void body(BodyId id, const std::string& indent)
    {
        for (const NodeId node : m_graph[id].nodes) {
            nodeBox(node, indent);
            for (const FusedNode& fused : m_graph.decided[node].fused)
                nodeBox(fused.node, indent);
            for (const BodyId inner : m_graph[node].bodies)
                cluster(inner, indent);
        }
    }

    void cluster(BodyId id, const std::string& indent)
    {
        const std::string number = std::to_string(id.number());
        m_text += indent + "subgraph cluster_" + number + " {\n" + indent + "  label=\"" +
                  escapeDot(m_graph[m_graph[id].owner].name + "/" + m_graph[id].name) + "\"; color=\"#a9afb9\";\n";
        m_text += indent + "  b" + number + " [shape=point, label=\"\"];\n";
        for (const ValueId input : m_graph[id].inputs)
            valueNode(input, "ellipse", indent + "  ");
        body(id, indent + "  ");
        m_text +=
            indent + "}\n" + indent + nodeId(m_graph[id].owner) + " -> b" + number + " [style=dotted, penwidth=1];\n";
    }

    void nodeBox(NodeId id, const std::string& indent)
    {
        const Node& node = m_graph[id];
        m_text += indent + nodeId(id) + " [label=\"" + escapeDot(qualifiedOp(node)) + "\\n" + escapeDot(node.name);
        if (m_report.program.streams.several())
            m_text += "\\nstream " + std::to_string(m_report.program.streams.of(id));
        m_text += "\"";
        for (const ValueId output : node.outputs) {
            if (!output.valid()) continue;
            m_text += ", fillcolor=\"" + colour(output) + "\", fontcolor=\"" + hex(textOn(rgb(output))) + "\"";
            break;
        }
        m_text += m_graph.decided[id].ahead || m_graph.decided[id].fusedInto.valid() ? ", style=\"rounded,dashed\"];\n"
                                                                                     : "];\n";
    }

    void valueNode(ValueId value, const char* shape, const std::string& indent)
    {
        m_text += indent + valueNodeId(value) + " [shape=" + shape + ", label=\"" + escapeDot(m_graph[value].name) +
                  "\", fillcolor=\"" + colour(value) + "\", fontcolor=\"" + hex(textOn(rgb(value))) + "\"];\n";
    }

    void edges()
    {
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n) {
            const Node& node = m_graph.nodes[n];
            for (std::size_t input = 0; input < ownInputs(m_graph, NodeId(n)); ++input)
                edge(node.inputs[input], nodeId(NodeId(n)));
        }
    }

    /// Which node waits for which on another stream.
    void events()
    {
        for (const StreamEvent& event : m_report.program.streams.events) {
            m_text += "  " + nodeId(event.signal) + " -> " + nodeId(event.waiter) +
                      " [style=dashed, penwidth=1, color=\"" + hex(palette(Theme::Light).bound) +
                      "\", constraint=false, tooltip=\"event\"];\n";
        }
    }

    /// Parameters and constants have no box: every node would hang on them.
    void edge(ValueId value, const std::string& to)
    {
        if (!value.valid()) return;
        const Value& v = m_graph[value];
        if (v.role == ValueRole::Parameter || (v.role == ValueRole::Constant && !v.producer.valid())) return;
        const bool last = v.producer.valid() && !m_graph.decided[v.producer].fused.empty() &&
                          !m_graph.decided[value].fusedInto.valid();
        const std::string from = last                 ? nodeId(m_graph.decided[v.producer].fused.back().node)
                                 : v.producer.valid() ? nodeId(v.producer)
                                                      : valueNodeId(value);
        m_text +=
            "  " + from + " -> " + to + " [color=\"" + colour(value) + "\", tooltip=\"" + escapeDot(tip(value)) + "\"";
        if (m_graph.nodes.size() <= MostNamedEdges) m_text += ", label=\"" + escapeDot(v.name) + "\"";
        m_text += "];\n";
    }

    [[nodiscard]] std::string tip(ValueId value) const
    {
        const PlannedValue& planned = m_report.program.values[value.index()];
        std::string text = m_graph[value].name + ", " + describe(m_graph[value].type);
        if (planned.storage.valid()) text += ", storage " + std::to_string(planned.storage.number());
        if (isBounded(planned)) text += ", at most";
        return planned.requiredBytes >= 0 ? text + ", " + formatBytes(planned.requiredBytes) : text;
    }

    [[nodiscard]] Rgb rgb(ValueId value) const
    {
        const StorageId storage = m_report.program.values[value.index()].storage;
        const bool known = storage.valid() && storage.index() < m_colours.size();
        return storageColour(palette(Theme::Light), known ? m_colours[storage.index()] : NoColour);
    }
    [[nodiscard]] std::string colour(ValueId value) const { return hex(rgb(value)); }
    static std::string nodeId(NodeId id) { return "n" + std::to_string(id.number()); }
    static std::string valueNodeId(ValueId id) { return "v" + std::to_string(id.number()); }

    const Report& m_report;
    const Graph& m_graph;
    StorageColours m_colours;
    std::string m_text;
};

} // namespace

std::string writeGraphDot(const Report& report)
{
    return DotWriter(report).write();
}

} // namespace plimsoll
