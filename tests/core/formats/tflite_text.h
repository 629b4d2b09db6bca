#pragma once

#include "core/formats/read_graph.h"
#include "core/formats/tflite_reader.h"
#include "tests/support/tflite_bytes.h"

#include <QString>

/// Text in, text out: models from lines of text, and their graphs as such.
namespace plimsoll::test {

inline Result<Graph> readBytes(const std::string& bytes, std::string_view wanted = {})
{
    return readTflite(std::as_bytes(std::span(bytes)), wanted, {}, {});
}

inline Result<Graph> readText(std::string_view text, std::string_view wanted = {})
{
    return readBytes(tfliteBytes(text), wanted);
}

inline std::string errorOf(const Result<Graph>& graph)
{
    return graph.ok() ? "(no error)" : describe(graph.error());
}

inline std::string names(const Graph& graph, const std::vector<ValueId>& values)
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
    for (const std::string& note : graph.notes)
        text += note + "\n";
    return text;
}

inline QString corpusFile(const char* name)
{
    return QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/tflite/") + QString::fromUtf8(name);
}

} // namespace plimsoll::test
