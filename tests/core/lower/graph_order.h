#pragma once

#include "core/graph/graph.h"

#include <QStringList>

#include <span>

namespace plimsoll::test {

/// "b = Identity(a); c, _ = Split(b, s) -> c a": the nodes that take a step, in order, and what is handed out. A
/// backward node has its own name in place of its operator's; nodes of bodies follow their owner in braces.
[[nodiscard]] inline QString orderOf(const Graph& graph, BodyId body = TopBody)
{
    const auto namesOf = [&](std::span<const ValueId> values, const char* between) {
        QStringList names;
        for (const ValueId value : values)
            names += value.valid() ? QString::fromStdString(graph[value].name) : QStringLiteral("_");
        return names.join(QLatin1String(between));
    };
    QStringList nodes;
    for (const NodeId id : graph[body].nodes) {
        if (graph.decided[id].ahead) continue;
        const Node& node = graph[id];
        const std::string& op = node.name.starts_with("backward:") ? node.name : *node.op;
        QString text = namesOf(node.outputs, ", ") + QStringLiteral(" = ") + QString::fromStdString(op) +
                       QStringLiteral("(") + namesOf(node.inputs, ", ") + QStringLiteral(")");
        for (const BodyId inner : node.bodies)
            text += QStringLiteral(" {") + orderOf(graph, inner) + QStringLiteral("}");
        nodes += text;
    }
    return nodes.join(QStringLiteral("; ")) + QStringLiteral(" -> ") + namesOf(graph[body].outputs, " ");
}

} // namespace plimsoll::test
