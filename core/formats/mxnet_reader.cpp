#include "core/formats/mxnet_reader.h"

#include "core/formats/from_file.h"
#include "core/formats/mxnet_assemble.h"
#include "core/formats/mxnet_parse.h"
#include "core/formats/named_graph.h"

namespace plimsoll {
namespace {

constexpr std::int64_t CommonOpset = 21; ///< Of the ONNX operators that control flow is put into.

Result<Graph> readSymbol(std::string_view text, const Context& context)
{
    context.report("reading", 0);
    PLIMSOLL_ASSIGN(json, parseJson(text));
    PLIMSOLL_ASSIGN(symbol, mxnet::parseSymbol(JsonPlace(json, {})));
    const std::int64_t version = symbol.version;
    const bool numpyShapes = symbol.numpyShapes;
    context.report("reading", 0.8);
    PLIMSOLL_ASSIGN(named, mxnet::toNamedGraph(std::move(symbol)));
    PLIMSOLL_ASSIGN(graph, assemble(std::move(named), {}));
    graph.format = "mxnet";
    graph.opsets = {{"", CommonOpset}, {"mxnet", version}};
    if (numpyShapes) graph.opsets.emplace("mxnet.is_np_shape", 1);
    return graph;
}

/// The end of the text that begins with the quote at \p begin.
std::size_t endOfText(std::string_view text, std::size_t begin)
{
    std::size_t i = begin + 1;
    while (i < text.size() && text[i] != '"')
        i += text[i] == '\\' ? 2 : 1;
    return std::min(i, text.size());
}

} // namespace

bool looksLikeMxnet(std::string_view text)
{
    bool nodes = false;
    bool heads = false;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (c != '"') continue;
        const std::size_t end = endOfText(text, i);
        const std::string_view word = text.substr(i + 1, end - i - 1);
        i = end;
        if (depth != 1) continue;
        if (word == "schema") return false;
        nodes = nodes || word == "nodes";
        heads = heads || word == "heads";
    }
    return nodes && heads;
}

Result<Graph> readMxnet(std::string_view text, const std::filesystem::path& file, const Context& context)
{
    auto graph = fromFile(readSymbol(text, context), file);
    if (!graph.ok()) return graph;
    std::string name = file.stem().string();
    if (name.ends_with("-symbol")) name.resize(name.size() - std::string_view("-symbol").size());
    graph.value().name = name.empty() ? "symbol" : name;
    return graph;
}

} // namespace plimsoll
