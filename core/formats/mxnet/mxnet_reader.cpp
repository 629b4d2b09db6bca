#include "core/formats/mxnet/mxnet_reader.h"

#include "core/formats/mxnet/mxnet_assemble.h"
#include "core/formats/mxnet/mxnet_parse.h"
#include "core/formats/named_graph.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/top_words.h"

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

} // namespace

bool looksLikeMxnet(std::string_view text)
{
    const std::set<std::string_view> words = topWords(text);
    return words.contains("nodes") && words.contains("heads") && !words.contains("schema");
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
