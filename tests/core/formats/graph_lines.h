#pragma once

#include "core/base/result.h"
#include "core/facts/english/english.h"
#include "core/graph/graph.h"

#include <QtGlobal>

#include <span>

/// Graphs as lines of text, for tests of readers.
namespace plimsoll::test {

inline std::string errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? "(no error)" : describe(graph.error());
}

inline std::string names(const Graph& graph, std::span<const ValueId> values)
{
    std::string text;
    for (const ValueId value : values)
        text += (text.empty() ? "" : " ") + (value.valid() ? graph[value].name : std::string("-"));
    return text;
}

/// One line for each node, nested ones behind their owner: "CONV_2D_0: y = tflite::CONV_2D(x w)".
inline std::string nodesText(const Graph& graph, BodyId body = TopBody, const std::string& indent = {})
{
    std::string text;
    for (const NodeId id : graph[body].nodes) {
        const Node& node = graph[id];
        text += indent + node.name.substr(node.name.rfind('/') + 1) + ": " + names(graph, node.outputs) + " = " +
                qualifiedOp(node) + "(" + names(graph, node.inputs) + ")\n";
        for (const BodyId inner : node.bodies) {
            text += indent + graph[inner].name + "(" + names(graph, graph[inner].inputs) + ")\n" +
                    nodesText(graph, inner, indent + "  ") + indent + "  -> " + names(graph, graph[inner].outputs) +
                    "\n";
        }
    }
    return text;
}

inline const Value& valueOf(const Graph& graph, std::string_view name)
{
    const ValueId id = findValue(graph, name);
    if (!id.valid()) qFatal("there is no value %s", std::string(name).c_str());
    return graph[id];
}

inline std::string allNotes(const Graph& graph)
{
    std::string text;
    for (const std::string& note : english(graph.notes))
        text += note + "\n";
    return text;
}

} // namespace plimsoll::test
