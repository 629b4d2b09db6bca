#include "core/formats/mxnet/mxnet_reader.h"

#include "core/base/heap.h"
#include "core/formats/mxnet/mxnet_inliner.h"
#include "core/formats/mxnet/mxnet_node.h"
#include "core/formats/mxnet/mxnet_parse.h"
#include "core/formats/top_words.h"
#include "core/ops/mxnet/mxnet_names.h"

namespace plimsoll {
namespace {

using namespace mxnet;

constexpr std::int64_t CommonOpset = 21; ///< Of the ONNX operators that control flow is put into.

/// Control flow (_foreach, _while_loop, _cond) becomes Scan, Loop and If with nested graphs; the graphs that a
/// partitioner has put into a _CachedOp are put back where they were.
Status addSymbol(Symbol symbol, NamedBuilder& build)
{
    upgrade(symbol, build.room);
    if (build.room.isFull()) return badInput(ReadingRoom::refusal(), "nodes");
    build.graph.place = symbol.place;
    std::vector<std::string> names(symbol.nodes.size());
    PLIMSOLL_ASSIGN(variables, classifyVariables(symbol));
    for (const std::size_t i : variablesOf(symbol)) {
        NamedValue& value = variables[i].value;
        value.name = names[i] = build.values.unique(value.name.empty() ? "variable" + std::to_string(i) : value.name);
        (variables[i].parameter ? build.graph.parameters : build.graph.inputs).push_back(std::move(value));
    }
    PLIMSOLL_SET(build.graph.outputs, Inliner(symbol, build).add(symbol, std::move(names), {}, build.graph));
    return {};
}

/// The document is gone when its symbol is there.
Result<Symbol> parseText(std::string_view text, ReadingRoom& room)
{
    PLIMSOLL_ASSIGN(json, parseJson(text));
    return parseSymbol(JsonPlace(json, {}), room);
}

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
    ReadingRoom room(input.bytes.size());
    PLIMSOLL_ASSIGN(symbol, parseText(input.text(), room));
    giveBackPages();
    std::map<std::string, std::int64_t> opsets = {{"", CommonOpset}, {"mxnet", symbol.version}};
    if (symbol.numpyShapes) opsets.emplace("mxnet.is_np_shape", 1);
    context.report("reading", 0.8);
    NamedBuilder build(Dialect, context, {}, room);
    PLIMSOLL_TRY(addSymbol(std::move(symbol), build));
    std::string name = input.stem("symbol");
    if (name.ends_with("-symbol")) name.resize(name.size() - std::string_view("-symbol").size());
    return build.finish(name.empty() ? "symbol" : name, std::move(opsets));
}

} // namespace plimsoll
