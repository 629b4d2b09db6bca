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

std::vector<std::int64_t> writesTo(const Report& report, const PlanArea& area)
{
    std::vector<std::int64_t> steps;
    if (!area.valid()) return steps;
    for (const ByteUse& use : usesOf(report, area))
        if (use.writes) steps.push_back(use.step);
    return steps;
}

/// Its bytes, at the steps in which they matter.
PlanArea aliveIn(const Report& report, ValueId value)
{
    PlanArea area = areaOf(report, Focus::on(value));
    area.steps = report.program.values[value.index()].live.hull();
    return area;
}

std::vector<std::int64_t> stepsOf(const Report& report, ValueId value)
{
    std::vector<std::int64_t> steps = writesTo(report, aliveIn(report, value));
    std::erase_if(steps, [&](std::int64_t step) { return !report.program.values[value.index()].live.contains(step); });
    const Graph& graph = *report.program.graph;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto has = [&](const auto& values) { return std::ranges::find(values, value) != values.end(); };
        if (has(graph.nodes[i].inputs) || has(graph.nodes[i].outputs))
            std::ranges::copy(stepsOf(report, NodeId(i)), std::back_inserter(steps));
    }
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

Message writtenOver(const Report& report, const Focus& focus, std::int64_t step)
{
    const PlanArea area = focus.value.valid() ? aliveIn(report, focus.value) : PlanArea();
    if (!area.valid() || !report.program.values[focus.value.index()].live.contains(step)) return {};
    const Graph& graph = *report.program.graph;
    const word::Name own {graph[focus.value].name};
    for (const ByteUse& use : usesOf(report, {area.arena, area.bytes, {step, step + 1}})) {
        if (!use.writes || use.node == graph[focus.value].producer) continue;
        for (const ValueId output : graph[use.node].outputs) {
            if (!output.valid()) continue;
            const PlanArea place = areaOf(report, Focus::on(output));
            if (place.arena == area.arena && place.bytes == use.bytes)
                return say("stop.written-over", word::Name {graph[output].name}, own);
        }
        return say("stop.scratch-over", word::Name {graph[use.node].name}, own);
    }
    return {};
}

} // namespace plimsoll
