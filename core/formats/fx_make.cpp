#include "core/formats/fx_check.h"
#include "core/formats/fx_translate.h"
#include "core/formats/graph_json.h"

#include <nlohmann/json.hpp>

namespace plimsoll::fx {
namespace {

std::string extraOf(const Translated& made)
{
    if (made.saved.empty() && made.tangents.empty() && made.gradients.empty()) return {};
    nlohmann::ordered_json facts;
    facts["saved"] = made.saved;
    facts["tangents"] = made.tangents;
    facts["gradients"] = nlohmann::ordered_json::array();
    for (const std::string& gradient : made.gradients) {
        if (gradient.empty())
            facts["gradients"].push_back(nullptr);
        else
            facts["gradients"].push_back(gradient);
    }
    return nlohmann::ordered_json {{"pytorch", facts}}.dump();
}

} // namespace

Result<Graph> makeGraph(const FxGraph& graph, const std::string& name)
{
    PLIMSOLL_ASSIGN(made, translate(graph));
    std::vector<std::string> places;
    for (const NamedNode& node : made.graph.nodes)
        places.push_back(node.place);
    AssembleRequest request;
    request.name = name;
    PLIMSOLL_ASSIGN(assembled, assemble(std::move(made.graph), request));
    assembled.format = "pytorch";
    assembled.opsets = {{"", NewestOpset}};
    PLIMSOLL_TRY(checkPrintedTypes(assembled, places));
    assembled.extra = extraOf(made);
    assembled.notes = std::move(made.notes);
    return assembled;
}

} // namespace plimsoll::fx
