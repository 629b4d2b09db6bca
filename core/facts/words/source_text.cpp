#include "core/facts/words/source_text.h"

#include "core/facts/english/english.h"
namespace plimsoll {
namespace {

std::string withModule(std::string source, const std::string& module)
{
    if (module.empty()) return source;
    return source.empty() ? module : english(say("source.module", source, module));
}

} // namespace

std::string sourceLine(const Graph& graph, NodeId node)
{
    return node.valid() ? graph[node].from->source : std::string();
}

std::string sourceLine(const Graph& graph, ValueId id)
{
    const Value& value = graph[id];
    if (!value.producer.valid()) return {};
    const Node& maker = graph[value.producer];
    // A recorded allocator makes many values at one step, each asked for by a line of its own.
    const auto* const sources = findAttribute<std::vector<std::string>>(maker, "sources");
    const auto output = static_cast<std::size_t>(value.producerOutput);
    const bool own = maker.domain == "packing" && sources && output < sources->size();
    return own ? (*sources)[output] : maker.from->source;
}

std::string sourceText(const Graph& graph, NodeId node)
{
    return node.valid() ? withModule(sourceLine(graph, node), graph[node].from->module) : std::string();
}

std::string sourceText(const Graph& graph, ValueId value)
{
    const NodeId producer = graph[value].producer;
    return producer.valid() ? withModule(sourceLine(graph, value), graph[producer].from->module) : std::string();
}

} // namespace plimsoll
