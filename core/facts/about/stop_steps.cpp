#include "core/facts/about/stop_steps.h"

#include "core/facts/about/byte_uses.h"
#include "core/facts/words/area_text.h"

#include <algorithm>

namespace plimsoll {
namespace {

std::vector<std::int64_t> stepsOf(const Report& report, NodeId node)
{
    const Interval steps = report.program.schedule.nodes[node.index()];
    return steps.empty() ? std::vector<std::int64_t>() : std::vector {steps.begin};
}

std::vector<std::int64_t> stepsOf(const Report& report, ValueId value)
{
    std::vector<std::int64_t> steps;
    const Graph& graph = *report.program.graph;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto has = [&](const auto& values) { return std::ranges::find(values, value) != values.end(); };
        if (has(graph.nodes[i].inputs) || has(graph.nodes[i].outputs))
            std::ranges::copy(stepsOf(report, NodeId(i)), std::back_inserter(steps));
    }
    return steps;
}

std::vector<std::int64_t> writesTo(const Report& report, const PlanArea& area)
{
    std::vector<std::int64_t> steps;
    if (!area.valid()) return steps;
    for (const ByteUse& use : usesOf(report, area))
        if (use.writes) steps.push_back(use.step);
    return steps;
}

} // namespace

std::vector<std::int64_t> stopSteps(const Report& report, const Focus& focus)
{
    std::vector<std::int64_t> steps;
    if (focus.node.valid())
        steps = stepsOf(report, focus.node);
    else if (focus.value.valid())
        steps = stepsOf(report, focus.value);
    else if (focus.finding >= 0)
        steps = {report.verdict.findings[static_cast<std::size_t>(focus.finding)].steps.begin};
    else if (focus.picked())
        steps = writesTo(report, areaOf(report, focus));
    else if (focus.step >= 0)
        steps = {focus.step};
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

} // namespace plimsoll
