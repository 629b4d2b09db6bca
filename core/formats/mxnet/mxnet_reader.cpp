#include "core/formats/mxnet/mxnet_reader.h"

#include "core/formats/mxnet/mxnet_assemble.h"
#include "core/formats/mxnet/mxnet_parse.h"
#include "core/formats/named_graph.h"
#include "core/formats/top_words.h"

namespace plimsoll {
namespace {

constexpr std::int64_t CommonOpset = 21; ///< Of the ONNX operators that control flow is put into.

} // namespace

bool looksLikeMxnet(const FormatInput& input)
{
    if (input.content.kind != ContentKind::Json || !input.content.known.name.empty()) return false;
    const std::set<std::string_view> words = topWords(input.text());
    return words.contains("nodes") && words.contains("heads") && !words.contains("schema");
}

Result<Graph> readMxnet(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    PLIMSOLL_ASSIGN(json, parseJson(input.text()));
    PLIMSOLL_ASSIGN(symbol, mxnet::parseSymbol(JsonPlace(json, {})));
    const std::int64_t version = symbol.version;
    const bool numpyShapes = symbol.numpyShapes;
    context.report("reading", 0.8);
    PLIMSOLL_ASSIGN(named, mxnet::toNamedGraph(std::move(symbol)));
    PLIMSOLL_ASSIGN(graph, assemble(std::move(named), {}));
    graph.opsets = {{"", CommonOpset}, {"mxnet", version}};
    if (numpyShapes) graph.opsets.emplace("mxnet.is_np_shape", 1);
    graph.name = input.stem("symbol");
    if (graph.name.ends_with("-symbol")) graph.name.resize(graph.name.size() - std::string_view("-symbol").size());
    if (graph.name.empty()) graph.name = "symbol";
    return graph;
}

} // namespace plimsoll
