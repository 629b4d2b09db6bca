#include "core/pipeline_stages.h"
#include "core/transform/check_catalogue.h"
#include "core/transform/sparse_dispatch.h"

#include <algorithm>
#include <unordered_set>

namespace plimsoll::pipeline {
namespace {

std::unordered_set<std::string_view> placedBy(const PlanFile& plan)
{
    std::unordered_set<std::string_view> names;
    for (const PlanFile::Entry& entry : plan.entries)
        names.insert(entry.value);
    return names;
}

/// Whether a plan that was handed in has a place for all that the reorders write: then it was made with them.
bool knowsReorders(const PlanFile& plan, const Graph& graph)
{
    const auto names = placedBy(plan);
    return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
        return !isReorder(node) || node.ahead || names.contains(graph[node.outputs.front()].name);
    });
}

/// Whether it has a place for any copy from or to a device, or, where nothing is copied during the run, an arena there:
/// then it was made for devices.
bool knowsDevices(const PlanFile& plan, const Dispatch& made)
{
    const auto names = placedBy(plan);
    const auto isCopy = [](const Node& node) { return isSpaceCopy(node) && !node.ahead; };
    const auto isPlaced = [&](const Node& node) {
        return isSpaceCopy(node) && names.contains(made.graph[node.outputs.front()].name);
    };
    const auto isTheirs = [&](const PlannedArena& arena) {
        return std::ranges::any_of(made.implementations, [&](const Implementation& chosen) {
            return !chosen.device.empty() && chosen.device == arena.space;
        });
    };
    if (std::ranges::any_of(made.graph.nodes, isPlaced)) return true;
    return std::ranges::none_of(made.graph.nodes, isCopy) && std::ranges::any_of(plan.arenas, isTheirs);
}

/// Of the whole path, choosing is the part from 0.35 to 0.4.
Context partOf(const Context& whole)
{
    if (!whole.progress) return whole;
    return {whole.stop, [&whole](std::string_view stage, double done) { whole.report(stage, 0.35 + 0.05 * done); }};
}

} // namespace

Result<Dispatch> chooseImplementations(Graph graph, const Catalogue* catalogue, const PlanRequest& request,
                                       const DecisionLog& log, const Context& context)
{
    const Catalogue none;
    if (catalogue) PLIMSOLL_TRY(checkCatalogue(*catalogue, graph));
    DispatchRequest choice {catalogue ? *catalogue : none, request.policies, request.pins};
    if (request.givenPlan) choice.withoutBytes = &request.givenPlan->fused;
    SparseDispatch stored = dispatchSparse(std::move(graph), choice, log);
    if (request.givenPlan) {
        PLIMSOLL_ASSIGN(trial, dispatch(stored.graph, choice, {}, {context.stop, {}}));
        choice.plainOnly = !knowsReorders(*request.givenPlan, trial.graph);
        choice.hostOnly = !knowsDevices(*request.givenPlan, trial);
    }
    PLIMSOLL_ASSIGN(dispatched, dispatch(std::move(stored.graph), choice, log, partOf(context)));
    dispatched.fallbacks = std::move(stored.fallbacks);
    return dispatched;
}

} // namespace plimsoll::pipeline
