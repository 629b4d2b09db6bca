#include "core/facts/boundary.h"

#include "core/ops/saving.h"

#include <algorithm>

namespace plimsoll {

std::int64_t boundaryStep(const Report& report)
{
    const NodeId first = report.program.graph->boundary.firstBackward;
    if (!first.valid()) return -1;
    const auto runs = [&](NodeId node) { return !report.program.schedule.nodes[node.index()].empty(); };
    if (runs(first)) return report.program.schedule.stepOf(first);
    const std::vector<NodeId>& order = report.program.graph->top().nodes;
    const auto next = std::find_if(std::find(order.begin(), order.end(), first), order.end(), runs);
    return next == order.end() ? -1 : report.program.schedule.stepOf(*next);
}

std::vector<PassTurn> passTurns(const Report& report)
{
    const std::int64_t first = boundaryStep(report);
    if (first < 0) return {};
    std::vector<PassTurn> turns = {{first, true}};
    const Graph& graph = *report.program.graph;
    if (!graph.loss.valid()) return turns; // captured: everything behind it is backward
    for (std::int64_t step = first + 1; step < report.program.schedule.length(); ++step) {
        const NodeId id = report.program.schedule.steps[static_cast<std::size_t>(step)].node;
        if (!id.valid() || graph[id].body != TopBody) continue;
        const bool backward = isBackward(graph, id);
        const bool inserted = !backward && graph[id].from->origin.dialect == "plimsoll"; // serves either
        if (!inserted && backward != turns.back().backward) turns.push_back({step, backward});
    }
    return turns;
}

std::string_view passMark(const Report& report, NodeId node)
{
    const Graph& graph = *report.program.graph;
    if (graph.decided[node].recomputes.valid()) return "↻ ";
    if (graph.loss.valid()) return isBackward(graph, node) ? "∂ " : "";
    // Of a captured graph everything behind the boundary.
    const std::int64_t boundary = boundaryStep(report);
    const Interval steps = report.program.schedule.nodes[node.index()];
    return boundary >= 0 && !steps.empty() && steps.begin >= boundary ? "∂ " : "";
}

} // namespace plimsoll
