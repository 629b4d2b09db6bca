#include "core/formats/torch/captured_training.h"
#include "core/formats/torch/fx_check.h"
#include "core/formats/torch/fx_reader.h"
#include "core/formats/torch/fx_translate.h"
#include "core/ops/op_schema.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace plimsoll::fx {
namespace {

nlohmann::json factsOf(const Translated& made)
{
    nlohmann::json facts = nlohmann::json::object();
    if (made.saved.empty() && made.tangents.empty() && made.gradients.empty()) return facts;
    facts["saved"] = made.saved;
    facts["tangents"] = made.tangents;
    facts["primals"] = made.primals;
    if (!made.firstBackward.empty()) facts["backward"] = made.firstBackward;
    facts["gradients"] = nlohmann::json::array();
    for (const std::string& gradient : made.gradients) {
        if (gradient.empty())
            facts["gradients"].push_back(nullptr);
        else
            facts["gradients"].push_back(gradient);
    }
    return facts;
}

/// PyTorch prints the type of every tensor. What has none, and is read by nothing, is what an operator leaves that is
/// called for its effect (None), or numbers (aten::size): no tensor. Texts without any type say nothing of that.
void markWhatIsNoTensor(Graph& graph)
{
    const auto isTyped = [](const Value& value) { return value.type.dtype != DType::Unknown; };
    const bool typed = std::ranges::any_of(
        graph.values, [&](const Value& value) { return value.role == ValueRole::Intermediate && isTyped(value); });
    if (!typed) return;
    std::vector<bool> read(graph.values.size());
    for (const Node& node : graph.nodes) {
        for (const ValueId input : node.inputs)
            if (input.valid()) read[input.index()] = true;
    }
    for (const Body& body : graph.bodies) {
        for (const ValueId output : body.outputs)
            read[output.index()] = true;
    }
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        Value& value = graph.values[i];
        const bool opaque =
            value.producer.valid() && !findSchema(graph[value.producer].domain, graph[value.producer].op);
        if (opaque && !read[i] && !isTyped(value)) value.type.kind = TypeKind::Opaque;
    }
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
    assembled.opsets = {{"", NewestOpset}};
    markWhatIsNoTensor(assembled);
    PLIMSOLL_TRY(checkPrintedTypes(assembled, places));
    const nlohmann::json facts = factsOf(made);
    if (!facts.empty()) assembled.extra = nlohmann::json {{"pytorch", facts}}.dump();
    if (!made.firstBackward.empty()) {
        PLIMSOLL_ASSIGN(written, parseJson(assembled.extra));
        PLIMSOLL_TRY(takeCapturedTraining(JsonPlace(written, {}).at("pytorch"), assembled));
    }
    assembled.notes = std::move(made.notes);
    return assembled;
}

} // namespace plimsoll::fx
