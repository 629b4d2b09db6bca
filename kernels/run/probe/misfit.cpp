#include "kernels/run/probe/misfit.h"

#include <algorithm>
#include <utility>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t MostNames = 4;

/// Those of \p drawn that what the node reads was computed from.
std::vector<ValueId> origins(const Graph& graph, const std::vector<ValueId>& drawn, NodeId node)
{
    std::vector<bool> seen(graph.values.size(), false);
    std::vector<NodeId> open {node};
    const auto visit = [&](ValueId value) {
        if (!value.valid() || seen[value.index()]) return;
        seen[value.index()] = true;
        if (graph[value].producer.valid()) open.push_back(graph[value].producer);
    };
    while (!open.empty()) {
        const Node& next = graph[open.back()];
        open.pop_back();
        std::ranges::for_each(next.inputs, visit);
        for (const BodyId body : next.bodies)
            std::ranges::for_each(graph[body].outputs, visit);
        if (const NodeId owner = graph[next.body].owner; owner.valid())
            std::ranges::for_each(graph[owner].inputs, visit);
    }
    std::vector<ValueId> found;
    std::ranges::copy_if(drawn, std::back_inserter(found), [&](ValueId value) { return seen[value.index()]; });
    return found;
}

Message advice(const Graph& graph, std::vector<ValueId> inputs)
{
    if (inputs.empty()) return say("run.misfit-given");
    const auto decides = [&](ValueId value) { return isInteger(graph[value].type.dtype); };
    if (std::ranges::any_of(inputs, decides)) std::erase_if(inputs, [&](ValueId value) { return !decides(value); });
    word::List names = listOf(
        inputs, [&](ValueId input) { return word::Name {graph[input].name}; }, MostNames);
    if (std::exchange(names.more, 0) > 0) names.items.emplace_back("…");
    return say("run.misfit-drawn", std::move(names), Remedy::option("inputs"), Remedy::option("mode", "fingerprint"));
}

} // namespace

Error misfit(const Graph& graph, const std::vector<ValueId>& drawn, NodeId node, const Error& error)
{
    Error misfit = error;
    misfit.code = drawn.empty() ? ErrorCode::BadInput : ErrorCode::Unsupported;
    misfit.message = say("run.misfit", error.message, advice(graph, origins(graph, drawn, node)));
    return misfit;
}

} // namespace plimsoll::kernels
