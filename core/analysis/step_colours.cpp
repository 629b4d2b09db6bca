#include "core/analysis/step_colours.h"

#include "core/base/narrow.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// The nodes of the top body that take a step, in order of the schedule, and which reads from which.
struct TopNodes
{
    std::vector<std::int32_t> numberOfStep;         ///< By step: the node of the top body that it belongs to.
    std::vector<std::vector<std::int32_t>> sources; ///< By number: the nodes that it reads from.
};

NodeId topOwner(const Graph& graph, NodeId node)
{
    while (node.valid() && graph[node].body != TopBody)
        node = graph[graph[node].body].owner;
    return node;
}

TopNodes findTopNodes(const Graph& graph, const Schedule& schedule)
{
    TopNodes nodes;
    std::vector<std::int32_t> numbers(graph.nodes.size(), -1);
    for (const Step& step : schedule.steps) {
        const NodeId top = topOwner(graph, step.node);
        std::int32_t& number = numbers[top.index()];
        if (number < 0) {
            number = narrow<std::int32_t>(nodes.sources.size());
            nodes.sources.emplace_back();
        }
        nodes.numberOfStep.push_back(number);
        if (step.kind != StepKind::Node && step.kind != StepKind::Enter) continue;
        for (const ValueId input : graph[step.node].inputs) {
            const NodeId producer = input.valid() ? topOwner(graph, graph[input].producer) : NodeId();
            const std::int32_t source = producer.valid() ? numbers[producer.index()] : -1;
            if (source >= 0 && source != number) nodes.sources[static_cast<std::size_t>(number)].push_back(source);
        }
    }
    return nodes;
}

/// The path with the largest sum of \p rewards, by number.
std::vector<std::size_t> bestPath(const TopNodes& nodes, const std::vector<std::int64_t>& rewards)
{
    const std::size_t count = nodes.sources.size();
    std::vector<std::int64_t> sums(count, 0); // of the best path that begins there; before its turn, without itself
    std::vector<std::size_t> next(count, count);
    std::size_t first = count;
    for (std::size_t node = count; node-- > 0;) { // readers come after what they read
        sums[node] += rewards[node];
        if (sums[node] > (first == count ? 0 : sums[first])) first = node;
        for (const std::int32_t source : nodes.sources[node]) {
            const auto before = static_cast<std::size_t>(source);
            if (sums[node] <= sums[before]) continue;
            sums[before] = sums[node];
            next[before] = node;
        }
    }
    std::vector<std::size_t> path;
    for (std::size_t node = first; node < count; node = next[node])
        path.push_back(node);
    return path;
}

} // namespace

std::vector<std::int32_t> colourSteps(const Graph& graph, const Schedule& schedule, std::int64_t colours)
{
    if (colours <= 1) return {};
    const TopNodes nodes = findTopNodes(graph, schedule);
    std::vector<std::int64_t> rewards(nodes.sources.size(), 1);
    std::vector<std::int32_t> colourOf(nodes.sources.size(), -1);
    std::int32_t colour = 0;
    for (; colour < colours - 1; ++colour) {
        const std::vector<std::size_t> path = bestPath(nodes, rewards);
        if (path.empty()) break;
        for (const std::size_t node : path) {
            if (rewards[node] == 0) continue;
            colourOf[node] = colour;
            rewards[node] = 0;
        }
    }
    std::vector<std::int32_t> steps;
    for (const std::int32_t number : nodes.numberOfStep) {
        const std::int32_t own = colourOf[static_cast<std::size_t>(number)];
        steps.push_back(own < 0 ? colour : own);
    }
    return steps;
}

} // namespace plimsoll
