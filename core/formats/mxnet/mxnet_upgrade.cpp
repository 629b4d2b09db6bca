#include "core/formats/mxnet/mxnet_upgrade.h"

#include "core/formats/mxnet/mxnet_node.h"
#include "core/ops/mxnet/mxnet_names.h"

namespace plimsoll::mxnet {
namespace {

constexpr std::int64_t ListsAllInputs = 900; ///< 0.9.0
constexpr std::int64_t HasOpenAxis = 905;    ///< 0.9.5

void addMissingInputs(Symbol& symbol, std::size_t index)
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
        symbol.nodes.push_back(std::move(variable));
        if (!symbol.outputCounts.empty()) symbol.outputCounts.push_back(1);
    }
}

} // namespace

void upgrade(Symbol& symbol)
{
    const std::size_t written = symbol.nodes.size();
    for (std::size_t i = 0; i < written; ++i) {
        if (symbol.nodes[i].isVariable()) continue;
        addMissingInputs(symbol, i);
        SymbolNode& node = symbol.nodes[i];
        const auto axis = node.attributes.find("axis");
        const bool all = (node.op == "argmax" || node.op == "argmin") && symbol.version < HasOpenAxis &&
                         axis != node.attributes.end() && axis->second == "-1";
        if (all) node.attributes.erase(axis);
    }
}

} // namespace plimsoll::mxnet
