#include "core/formats/mxnet/mxnet_parse.h"

#include "core/formats/mxnet/mxnet_node.h"

#include <algorithm>

namespace plimsoll::mxnet {
namespace {

constexpr std::int64_t BeforeVersions = 800; ///< Files that do not say are from 0.8 or earlier.
constexpr std::int64_t MostOutputs = 1 << 16;

Result<Entry> parseEntry(const JsonPlace& place)
{
    if (!place.isList() || place.size() < 2 || place.size() > 3) return place.error(say("mxnet.entry"));
    Entry entry;
    PLIMSOLL_SET(entry.node, place.at(std::size_t {0}).integer());
    PLIMSOLL_SET(entry.output, place.at(1).integer());
    if (place.size() == 3) PLIMSOLL_SET(entry.version, place.at(2).integer());
    return entry;
}

Result<SymbolNode> parseNode(const JsonPlace& place, ReadingRoom& room)
{
    PLIMSOLL_TRY(place.expectObject());
    SymbolNode node;
    node.place = place.path();
    PLIMSOLL_SET(node.op, place.requiredText("op"));
    PLIMSOLL_SET(node.name, place.textOr("name", {}));
    // Texts as they are; other values (files of other tools) as JSON.
    for (const char* key : {"attr", "param", "attrs"}) {
        PLIMSOLL_TRY(place.forEachField(key, [&](const std::string& name, const JsonPlace& field) -> Status {
            room.take(ReadingRoom::Attribute);
            node.attributes[name] = field.isText() ? std::string(field.word()) : field.json();
            return {};
        }));
    }
    PLIMSOLL_TRY(place.readList("inputs", node.inputs, parseEntry));
    PLIMSOLL_TRY(
        place.readList("subgraphs", node.subgraphs, [&](const JsonPlace& inner) { return parseSymbol(inner, room); }));
    takeRoom(node, room);
    if (room.isFull()) return place.error(ReadingRoom::refusal());
    return node;
}

/// How many outputs a node can have: what the file counts, else what the operator gives, as far as it is known.
std::int64_t mostOutputs(const Symbol& symbol, std::int64_t number)
{
    const auto index = static_cast<std::size_t>(number);
    const SymbolNode& node = symbol.nodes[index];
    if (node.isVariable()) return 1;
    if (!symbol.outputCounts.empty()) return symbol.outputCounts[index];
    const auto known = knownOutputCount(node);
    return known ? static_cast<std::int64_t>(*known) : MostOutputs;
}

Status checkEntry(const Symbol& symbol, const Entry& entry, const JsonPlace& place)
{
    const auto nodes = static_cast<std::int64_t>(symbol.nodes.size());
    if (entry.node < 0 || entry.node >= nodes)
        return place.error(say("mxnet.no-node", word::Number {entry.node}, word::Number {nodes}));
    const SymbolNode& node = symbol.nodes[static_cast<std::size_t>(entry.node)];
    const std::int64_t most = mostOutputs(symbol, entry.node);
    if (entry.output < 0 || entry.output >= most)
        return place.error(
            most == MostOutputs
                ? say("mxnet.no-output", word::Number {entry.node}, word::Name {node.name}, word::Number {entry.output})
                : say("mxnet.no-such-output", word::Number {entry.node}, word::Name {node.name}, word::Number {most},
                      word::Number {entry.output}));
    return {};
}

/// Prefix sums of the numbers of outputs, one more than there are nodes.
Status parseRowPointer(const JsonPlace& place, Symbol& symbol)
{
    if (!place.has("node_row_ptr")) return {};
    std::vector<std::int64_t> begins;
    const JsonPlace list = place.at("node_row_ptr");
    PLIMSOLL_TRY(place.forEach("node_row_ptr", [&](const JsonPlace& item) -> Status {
        PLIMSOLL_ASSIGN(number, item.integer());
        if (begins.empty() ? number != 0 : number <= begins.back() || number - begins.back() > MostOutputs)
            return item.error(say("mxnet.row-pointer"));
        begins.push_back(number);
        return {};
    }));
    if (begins.size() != symbol.nodes.size() + 1)
        return list.error(
            say("mxnet.row-pointer-length", word::Number {begins.size()}, word::Number {symbol.nodes.size()}));
    for (std::size_t n = 0; n < symbol.nodes.size(); ++n)
        symbol.outputCounts.push_back(begins[n + 1] - begins[n]);
    return {};
}

/// "mxnet_version": ["int", 10500]
Result<std::int64_t> graphAttribute(const JsonPlace& place, const char* name, std::int64_t fallback)
{
    if (!place.has("attrs")) return fallback;
    const JsonPlace table = place.at("attrs");
    PLIMSOLL_TRY(table.expectObject());
    if (!table.has(name)) return fallback;
    const JsonPlace pair = table.at(name);
    if (!pair.isList() || pair.size() != 2) return pair.error(say("mxnet.pair"));
    return pair.at(1).integer();
}

} // namespace

Result<Symbol> parseSymbol(const JsonPlace& place, ReadingRoom& room)
{
    PLIMSOLL_TRY(place.expectObject());
    const bool ofTvm = place.has("attrs") && place.at("attrs").isObject() && place.at("attrs").has("storage_id");
    if (ofTvm) return place.error(say("mxnet.tvm")); // the same form, with a plan of its own
    Symbol symbol;
    symbol.place = place.path();
    for (const char* key : {"nodes", "heads"}) {
        if (!place.has(key)) return place.error(say("json.key-missing", key));
    }
    PLIMSOLL_TRY(place.readList("nodes", symbol.nodes, [&](const JsonPlace& node) { return parseNode(node, room); }));
    PLIMSOLL_TRY(place.readList("heads", symbol.heads, parseEntry));
    if (symbol.heads.empty()) return place.at("heads").error(say("mxnet.no-outputs"));
    PLIMSOLL_TRY(parseRowPointer(place, symbol));
    for (std::size_t n = 0; n < symbol.nodes.size(); ++n) {
        const auto& inputs = symbol.nodes[n].inputs;
        if (symbol.nodes[n].isVariable() && !inputs.empty())
            return place.at("nodes").at(n).error(say("mxnet.variable-inputs"));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            PLIMSOLL_TRY(checkEntry(symbol, inputs[i], place.at("nodes").at(n).at("inputs").at(i)));
    }
    for (std::size_t i = 0; i < symbol.heads.size(); ++i)
        PLIMSOLL_TRY(checkEntry(symbol, symbol.heads[i], place.at("heads").at(i)));
    PLIMSOLL_TRY(place.forEach("arg_nodes", [&](const JsonPlace& item) -> Status {
        PLIMSOLL_ASSIGN(node, item.integer());
        PLIMSOLL_TRY(checkEntry(symbol, {node, 0, 0}, item));
        const SymbolNode& argument = symbol.nodes[static_cast<std::size_t>(node)];
        if (argument.isVariable()) return {};
        return item.error(say("mxnet.no-variable", word::Number {node}, word::Name {argument.name}, argument.op));
    }));
    PLIMSOLL_SET(symbol.version, graphAttribute(place, "mxnet_version", BeforeVersions));
    PLIMSOLL_ASSIGN(numpy, graphAttribute(place, "is_np_shape", 0));
    symbol.numpyShapes = numpy != 0;
    return symbol;
}

} // namespace plimsoll::mxnet
