#pragma once

#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"

#include <QString>
#include <QStringList>

#include <span>
#include <string>

/// Graphs of the tests of PyTorch's formats, read and drawn as text.
namespace plimsoll::test {

inline Result<Graph> read(const std::string& text)
{
    return readGraph(std::as_bytes(std::span(text)), {});
}

inline QString errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(graph.error()));
}

/// A function of x (f32[2, 3]), y (f32[2, 3]), w (f32[3, 4]), v (f32[4]), c (f32[2, 3, 4]), i (i64[5]) and b (b8[2,
/// 3]).
inline std::string function(const QByteArray& body, const QByteArray& result)
{
    return "class GraphModule(torch.nn.Module):\n"
           "    def forward(self, x: \"f32[2, 3][3, 1]cpu\", y: \"f32[2, 3][3, 1]cpu\", w: \"f32[3, 4][4, 1]cpu\", "
           "v: \"f32[4][1]cpu\", c: \"f32[2, 3, 4][12, 4, 1]cpu\", i: \"i64[5][1]cpu\", b: \"b8[2, 3][3, 1]cpu\"):\n"
           "         # File: model.py:7 in forward, code: return f(x)\n" +
           body.toStdString() + "        return " + result.toStdString() + "\n";
}

inline QString namesOf(const Graph& graph, std::span<const ValueId> ids)
{
    QStringList names;
    for (const ValueId id : ids)
        names << (id.valid() ? QString::fromStdString(graph[id].name) : QStringLiteral("-"));
    return names.join(u' ');
}

/// "Gemm x w v -> addmm", with "aten::" in front of what stays under its own name, and the declared traits behind.
inline QString drawn(const Graph& graph, const Node& node)
{
    constexpr const char* Kinds[] = {"fresh", "in-place", "identity", "view", "writes"};
    QString text = QString::fromStdString(qualifiedOp(node)) + u' ' + namesOf(graph, node.inputs) + " -> " +
                   namesOf(graph, node.outputs);
    for (const AliasTrait& trait : node.declared->traits.value_or(std::vector<AliasTrait> {})) {
        text += QStringLiteral(" %1 %2").arg(Kinds[static_cast<int>(trait.kind)]).arg(trait.input);
        if (trait.offsetBytes > 0) text += QStringLiteral("+%1").arg(trait.offsetBytes);
    }
    return text;
}

inline QString drawn(const Graph& graph)
{
    QStringList lines;
    for (const NodeId id : graph.top().nodes)
        lines << drawn(graph, graph[id]);
    return lines.join(u'\n');
}

inline QString typeOf(const Graph& graph, const char* name)
{
    const ValueId id = findValue(graph, name);
    return id.valid() ? QString::fromStdString(describe(graph[id].type)) : QStringLiteral("(no value)");
}

} // namespace plimsoll::test
