#include "core/pipeline_stages.h"
#include "core/transform/storage_dispatch.h"

#include <algorithm>
#include <unordered_set>

namespace plimsoll::pipeline {
namespace {

/// Whether a plan that was handed in has a place for all that the reorders write: then it was made with them.
bool knowsReorders(const PlanFile& plan, const Dispatch& dispatched)
{
    std::unordered_set<std::string_view> names;
    for (const PlanFile::Entry& entry : plan.entries)
        names.insert(entry.value);
    const Graph& graph = dispatched.graph;
    return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
        return !isReorder(node) || node.ahead || names.contains(graph[node.outputs.front()].name);
    });
}

} // namespace

Result<Dispatch> chooseImplementations(Graph graph, const Catalogue* catalogue, const PlanRequest& request,
                                       const DecisionLog& log, const Context& context)
{
    const Catalogue none;
    DispatchRequest choice {catalogue ? *catalogue : none, request.policies, request.pins};
    if (request.givenPlan) choice.withoutBytes = &request.givenPlan->fused;
    StorageDispatch stored = dispatchStorages(std::move(graph), choice, log);
    if (request.givenPlan) {
        PLIMSOLL_ASSIGN(trial, dispatch(stored.graph, choice, {}, context));
        choice.plainOnly = !knowsReorders(*request.givenPlan, trial);
    }
    PLIMSOLL_ASSIGN(dispatched, dispatch(std::move(stored.graph), choice, log, context));
    dispatched.fallbacks = std::move(stored.fallbacks);
    return dispatched;
}

} // namespace plimsoll::pipeline
