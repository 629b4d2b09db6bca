#include "core/formats/mxnet/mxnet_assemble.h"

#include "core/formats/mxnet/mxnet_inliner.h"
#include "core/formats/mxnet/mxnet_node.h"
#include "core/formats/mxnet/mxnet_upgrade.h"

namespace plimsoll::mxnet {

Result<NamedGraph> toNamedGraph(Symbol symbol)
{
    upgrade(symbol);
    NamedGraph graph;
    graph.place = symbol.place;
    Inliner inliner(symbol);
    std::vector<std::string> names(symbol.nodes.size());
    PLIMSOLL_ASSIGN(variables, classifyVariables(symbol));
    for (const std::size_t i : variablesOf(symbol)) {
        NamedValue& value = variables[i].value;
        value.name = names[i] = inliner.unique(value.name.empty() ? "variable" + std::to_string(i) : value.name);
        (variables[i].parameter ? graph.parameters : graph.inputs).push_back(std::move(value));
    }
    PLIMSOLL_ASSIGN(outputs, inliner.add(symbol, names, {}, graph));
    graph.outputs = std::move(outputs);
    return graph;
}

} // namespace plimsoll::mxnet
