#include "core/pipeline_stages.h"
#include "core/transform/check_catalogue.h"
#include "core/transform/sparse_dispatch.h"

#include <algorithm>
#include <unordered_set>

namespace plimsoll::pipeline {
namespace {

using Names = std::unordered_set<std::string_view>;

/// What a plan that was handed in has a place for, of the values that a trial has put into the graph.
class PlacedAdditions
{
public:
    PlacedAdditions(const PlanFile& plan, const Graph& before, const Graph& after) : m_after(after)
    {
        for (const Value& value : before.values)
            m_values.insert(value.name);
        for (const Node& node : before.nodes)
            m_nodes.insert(node.name);
        for (const PlanFile::Entry& entry : plan.entries)
            m_placed.insert(entry.value);
    }
    /// What is handed out keeps its name, so that a node which was put in behind it is known by what it reads.
    [[nodiscard]] bool hold(const Node& node) const
    {
        const std::string& written = m_after[node.outputs.front()].name;
        const bool keptName = m_values.contains(written) && !m_nodes.contains(node.name);
        return m_placed.contains(keptName ? m_after[node.inputs.front()].name : written);
    }

private:
    const Graph& m_after;
    Names m_values; ///< Before.
    Names m_nodes;
    Names m_placed;
};

/// Whether the plan has a place for all that the reorders write: then it was made with them.
bool knowsReorders(const PlacedAdditions& placed, const Graph& graph)
{
    return std::ranges::all_of(graph.nodes,
                               [&](const Node& node) { return !isReorder(node) || node.ahead || placed.hold(node); });
}

/// Whether it has a place for any copy from or to a device, or, where nothing is copied during the run, an arena there:
/// then it was made for devices.
bool knowsDevices(const PlanFile& plan, const PlacedAdditions& placed, const Dispatch& made)
{
    const auto isCopy = [](const Node& node) { return isSpaceCopy(node) && !node.ahead; };
    const auto isPlaced = [&](const Node& node) { return isSpaceCopy(node) && placed.hold(node); };
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
        const PlacedAdditions placed(*request.givenPlan, stored.graph, trial.graph);
        choice.plainOnly = !knowsReorders(placed, trial.graph);
        choice.hostOnly = !knowsDevices(*request.givenPlan, placed, trial);
    }
    PLIMSOLL_ASSIGN(dispatched, dispatch(std::move(stored.graph), choice, log, partOf(context)));
    dispatched.fallbacks = std::move(stored.fallbacks);
    return dispatched;
}

} // namespace plimsoll::pipeline
