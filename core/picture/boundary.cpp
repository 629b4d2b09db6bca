#include "core/picture/boundary.h"

#include <algorithm>

namespace plimsoll {

std::int64_t boundaryStep(const Report& report)
{
    const NodeId first = report.graph->boundary.firstBackward;
    if (!first.valid()) return -1;
    const auto runs = [&](NodeId node) { return !report.schedule.nodes[node.index()].empty(); };
    if (runs(first)) return report.schedule.stepOf(first);
    const std::vector<NodeId>& order = report.graph->top().nodes;
    const auto next = std::find_if(std::find(order.begin(), order.end(), first), order.end(), runs);
    return next == order.end() ? -1 : report.schedule.stepOf(*next);
}

std::string_view passMark(const Report& report, NodeId node)
{
    const Graph& graph = *report.graph;
    if (graph[node].recomputes.valid()) return "↻ ";
    if (graph.loss.valid()) return isBackward(graph[node]) ? "∂ " : "";
    // Of a captured graph everything behind the boundary.
    const std::int64_t boundary = boundaryStep(report);
    const Interval steps = report.schedule.nodes[node.index()];
    return boundary >= 0 && !steps.empty() && steps.begin >= boundary ? "∂ " : "";
}

} // namespace plimsoll
