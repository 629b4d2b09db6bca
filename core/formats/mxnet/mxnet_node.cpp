#include "core/formats/mxnet/mxnet_node.h"
#include "core/formats/bad_input.h"

#include "core/ops/mxnet/mxnet_attributes.h"
#include "core/ops/mxnet/mxnet_names.h"
#include "core/ops/op_schema.h"

#include <algorithm>

namespace plimsoll::mxnet {
namespace {

constexpr std::int64_t ListsAllInputs = 900; ///< 0.9.0
constexpr std::int64_t HasOpenAxis = 905;    ///< 0.9.5

/// "__shape__" of a variable; sizes that are not known yet are 0, or -1 where shapes are numpy's.
TensorType declaredType(const SymbolNode& variable, bool numpyShapes)
{
    TensorType type;
    Attributes attributes;
    for (const std::string name : {"shape", "dtype"}) {
        const auto found = variable.attributes.find("__" + name + "__");
        if (found == variable.attributes.end()) continue;
        if (auto typed = typedAttribute(found->second)) attributes.emplace(name, std::move(*typed));
    }
    type.dtype = dtypeOf(attributes, "dtype", DType::Unknown);
    const auto shape = tupleOf(attributes, "shape");
    if (!shape || (shape->empty() && !numpyShapes)) return type;
    type.dims.emplace();
    for (const std::int64_t size : *shape)
        type.dims->push_back({size < 0 || (size == 0 && !numpyShapes) ? -1 : size, {}});
    return type;
}

/// A hidden attribute as a number; \p fallback where there is none, or no number.
std::int64_t hiddenNumber(const SymbolNode& node, const char* key, std::int64_t fallback)
{
    const auto found = node.attributes.find(key);
    const auto typed = found == node.attributes.end() ? std::nullopt : typedAttribute(found->second);
    const auto* number = typed ? std::get_if<std::int64_t>(&*typed) : nullptr;
    return number ? *number : fallback;
}

/// "__storage_type__" is 1 for row_sparse and 2 for csr. MXNet does not say how much is kept at most; a file may, as
/// "__max_stored__".
Status readStorage(const SymbolNode& variable, TensorType& type)
{
    const std::int64_t number = hiddenNumber(variable, "__storage_type__", 0);
    if (number < -1 || number > 2) return badInput(say("mxnet.storage-type", word::Number {number}), variable.place);
    type.storage = number > 0 ? static_cast<StorageType>(number) : StorageType::Dense;
    if (type.isSparse()) type.maxStored = std::max<std::int64_t>(-1, hiddenNumber(variable, "__max_stored__", -1));
    return {};
}

/// How names of parameters end.
constexpr std::string_view ParameterEnds[] = {"_weight",      "_bias",       "_gamma",        "_beta",
                                              "_moving_mean", "_moving_var", "_running_mean", "_running_var"};

/// What the readers of each variable say about it.
struct Reads
{
    bool parameter = false;
    bool first = false;   ///< It is the data of a layer.
    bool foreign = false; ///< An operator without a rule for its type reads it.
};

std::vector<Reads> readsOf(const Symbol& symbol)
{
    std::vector<Reads> reads(symbol.nodes.size());
    for (const SymbolNode& node : symbol.nodes) {
        if (node.isVariable()) continue;
        const std::string_view op = canonicalOp(node.op);
        const auto inputs = inputsOf(op, typedAttributes(node));
        const bool quantized = op.starts_with("_sg_") || op.starts_with("_contrib_quantize");
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            Reads& read = reads[static_cast<std::size_t>(node.inputs[i].node)];
            read.parameter |= node.inputs[i].version > 0 || (i < inputs.size() && inputs[i].slot != Slot::Data);
            read.first |= i == 0;
            read.foreign |= quantized || !findSchema(Dialect, op);
        }
    }
    return reads;
}

/// Whether all tensors of the file are floats as far as it says anything.
bool isAllFloat(const Symbol& symbol)
{
    return std::all_of(symbol.nodes.begin(), symbol.nodes.end(), [](const SymbolNode& node) {
        for (const char* key : {"dtype", "__dtype__"}) {
            const auto found = node.attributes.find(key);
            if (found != node.attributes.end() && found->second != "0" && found->second != "float32") return false;
        }
        return node.op != "amp_cast" && node.op != "amp_multicast";
    });
}

void addMissingInputs(Symbol& symbol, std::size_t index, ReadingRoom& room)
{
    const std::string op = std::string(canonicalOp(symbol.nodes[index].op));
    const std::vector<Input> wanted = inputsOf(op, typedAttributes(symbol.nodes[index]));
    for (std::size_t i = symbol.nodes[index].inputs.size(); i < wanted.size(); ++i) {
        if (symbol.version >= ListsAllInputs && wanted[i].slot != Slot::Auxiliary) return;
        SymbolNode variable;
        variable.op = "null";
        variable.name = symbol.nodes[index].name + "_" + wanted[i].name;
        variable.place = symbol.nodes[index].place;
        symbol.nodes[index].inputs.push_back({static_cast<std::int64_t>(symbol.nodes.size()), 0, 0});
        takeRoom(variable, room);
        symbol.nodes.push_back(std::move(variable));
        if (!symbol.outputCounts.empty()) symbol.outputCounts.push_back(1);
    }
}

} // namespace

void takeRoom(const SymbolNode& node, ReadingRoom& room)
{
    constexpr std::size_t Beside = 520; // what is known of a node while others are read
    const std::size_t own = node.isVariable() ? 0 : ReadingRoom::Node;
    room.take(own + Beside + ReadingRoom::Value + 4 * node.name.size() + node.inputs.size() * ReadingRoom::Name);
}

Attributes typedAttributes(const SymbolNode& node)
{
    Attributes attributes;
    for (const auto& [key, text] : node.attributes) {
        if (key == "__max_stored__" && !node.isVariable()) {
            if (auto typed = typedAttribute(text)) attributes.emplace("max_stored", std::move(*typed));
        } else if (key.starts_with("__")) {
            attributes.emplace(key, text);
        } else if (auto typed = typedAttribute(text)) {
            attributes.emplace(key, std::move(*typed));
        }
    }
    return attributes;
}

NamedNode namedNode(const SymbolNode& node)
{
    NamedNode named;
    named.place = node.place;
    named.node.op = canonicalOp(node.op);
    named.node.domain = Dialect;
    named.node.from.edit().origin = {std::string(Dialect), node.op, {}};
    named.node.attributes = typedAttributes(node);
    const std::string_view op = canonicalOp(node.op);
    if ((op != "_sg_mkldnn_conv" && op != "_sg_mkldnn_fully_connected") || node.subgraphs.empty()) return named;
    const Attributes& attributes = named.node.attributes;
    // Attributes of the layer inside; the node's own stay.
    for (const SymbolNode& inner : node.subgraphs.front().nodes) {
        const std::string_view layer = canonicalOp(inner.op);
        if (layer != "Convolution" && layer != "FullyConnected") continue;
        named.node.attributes.edit().merge(typedAttributes(inner).edit());
        break;
    }
    if (!flagOf(attributes, "with_sum", false)) return named;
    // The other operand of the sum: behind data, weight, bias and those of a BatchNorm.
    const int sum = (flagOf(attributes, "no_bias", false) ? 2 : 3) + (flagOf(attributes, "with_bn", false) ? 4 : 0);
    named.node.declared.edit().traits = std::vector {AliasTrait {0, sum, AliasKind::MayBeInPlace, 0}};
    return named;
}

std::optional<std::size_t> knownOutputCount(const SymbolNode& node)
{
    const std::string_view op = canonicalOp(node.op);
    if (!findSchema(Dialect, op)) return std::nullopt;
    return outputsOf(op, typedAttributes(node)).size();
}

std::vector<std::size_t> outputCounts(const Symbol& symbol)
{
    std::vector<std::size_t> counts(symbol.outputCounts.begin(), symbol.outputCounts.end());
    if (!counts.empty()) return counts;
    for (const SymbolNode& node : symbol.nodes)
        counts.push_back(outputsOf(canonicalOp(node.op), typedAttributes(node)).size());
    const auto reach = [&](const Entry& entry) {
        std::size_t& count = counts[static_cast<std::size_t>(entry.node)];
        count = std::max(count, static_cast<std::size_t>(entry.output) + 1);
    };
    for (const SymbolNode& reader : symbol.nodes)
        std::ranges::for_each(reader.inputs, reach);
    std::ranges::for_each(symbol.heads, reach);
    return counts;
}

std::string outputName(const SymbolNode& node, const std::vector<std::string>& names, std::size_t output)
{
    const bool named = output < names.size();
    return node.name + "_" + (named ? names[output] : "output" + std::to_string(output));
}

std::vector<std::size_t> variablesOf(const Symbol& symbol)
{
    std::vector<std::size_t> variables;
    for (std::size_t i = 0; i < symbol.nodes.size(); ++i) {
        if (symbol.nodes[i].isVariable()) variables.push_back(i);
    }
    return variables;
}

Result<std::vector<Variable>> classifyVariables(const Symbol& symbol)
{
    const std::vector<Reads> reads = readsOf(symbol);
    const bool floats = isAllFloat(symbol);
    std::vector<Variable> variables(symbol.nodes.size());
    for (const std::size_t i : variablesOf(symbol)) {
        const SymbolNode& node = symbol.nodes[i];
        Variable& variable = variables[i];
        variable.value.name = node.name;
        variable.value.type = declaredType(node, symbol.numpyShapes);
        PLIMSOLL_TRY(readStorage(node, variable.value.type));
        // Gluon writes it on every parameter; data is what comes as csr.
        const bool exported =
            node.attributes.contains("__storage_type__") && variable.value.type.storage != StorageType::Csr;
        const bool named = std::ranges::any_of(ParameterEnds, [&](auto end) { return node.name.ends_with(end); });
        variable.parameter = reads[i].parameter || named || node.attributes.contains("__init__") || exported;
        const bool assumed = floats || reads[i].foreign || (!variable.parameter && reads[i].first);
        if (variable.value.type.dtype == DType::Unknown && assumed) variable.value.type.dtype = DType::Float32;
    }
    return variables;
}

void upgrade(Symbol& symbol, ReadingRoom& room)
{
    const std::size_t written = symbol.nodes.size();
    for (std::size_t i = 0; i < written && !room.isFull(); ++i) {
        if (symbol.nodes[i].isVariable()) continue;
        addMissingInputs(symbol, i, room);
        SymbolNode& node = symbol.nodes[i];
        const auto axis = node.attributes.find("axis");
        const bool all = (node.op == "argmax" || node.op == "argmin") && symbol.version < HasOpenAxis &&
                         axis != node.attributes.end() && axis->second == "-1";
        if (all) node.attributes.erase(axis);
    }
}

} // namespace plimsoll::mxnet
