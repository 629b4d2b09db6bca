#include "app/session/document/named_focus.h"

#include "core/base/narrow.h"

#include <algorithm>

namespace plimsoll::app {
namespace {

template <typename Id, typename Things>
std::string nameIn(const Graph& graph, Id id, const Things& things)
{
    return id.valid() && id.index() < things.size() ? graph[id].name : std::string();
}

std::vector<std::string> valueNames(const Finding& finding, const Graph& graph)
{
    std::vector<std::string> names;
    for (const ValueId value : finding.values)
        names.push_back(nameIn(graph, value, graph.values));
    return names;
}

PlanArea areaNamed(const NamedFocus& names, const Report& report)
{
    const auto& arenas = report.program.map.arenas;
    const auto arena = std::ranges::find(arenas, names.space, &PlannedArena::space);
    if (names.space.empty() || arena == arenas.end()) return {};
    return {ArenaId(static_cast<std::size_t>(arena - arenas.begin())), intersection(names.bytes, {0, arena->bytes}),
            intersection(names.steps, {0, report.program.schedule.length()})};
}

std::int32_t findingNamed(const NamedFocus& names, const Report& report)
{
    const auto& findings = report.verdict.findings;
    const auto found = std::ranges::find_if(findings, [&](const Finding& finding) {
        return ruleId(finding.rule) == names.rule && valueNames(finding, *report.program.graph) == names.values;
    });
    return found == findings.end() ? -1 : narrow<std::int32_t>(found - findings.begin());
}

StorageId storageNamed(const std::string& value, const Report& report)
{
    const ValueId first = findValue(*report.program.graph, value);
    const auto& values = report.program.values;
    return first.valid() && first.index() < values.size() ? values[first.index()].storage : StorageId();
}

} // namespace

NamedFocus namesOf(const Focus& focus, const Report& report)
{
    const Graph& graph = *report.program.graph;
    NamedFocus names;
    names.node = nameIn(graph, focus.node, graph.nodes);
    names.value = nameIn(graph, focus.value, graph.values);
    if (focus.storage.valid() && focus.storage.index() < report.program.storages.size()) {
        const Storage& storage = report.program.storages[focus.storage.index()];
        if (!storage.values.empty())
            names.storage = nameIn(graph, storage.values.front(), graph.values);
        else
            names.node = nameIn(graph, storage.scratchOf, graph.nodes); // a scratchpad: its node is near enough
    }
    const auto finding = static_cast<std::size_t>(focus.finding);
    if (focus.finding >= 0 && finding < report.verdict.findings.size()) {
        names.rule = ruleId(report.verdict.findings[finding].rule);
        names.values = valueNames(report.verdict.findings[finding], graph);
    }
    if (focus.area.valid() && focus.area.arena.index() < report.program.map.arenas.size()) {
        names.space = report.program.map.arenas[focus.area.arena.index()].space;
        names.bytes = focus.area.bytes;
        names.steps = focus.area.steps;
    }
    names.step = focus.step;
    return names;
}

Focus focusNamed(const NamedFocus& names, const Report& report)
{
    const Graph& graph = *report.program.graph;
    Focus focus;
    if (!names.rule.empty())
        focus.finding = findingNamed(names, report);
    else if (!names.storage.empty())
        focus.storage = storageNamed(names.storage, report);
    else if (!names.value.empty())
        focus.value = findValue(graph, names.value);
    else if (!names.node.empty())
        focus.node = findNode(graph, names.node);
    focus.area = areaNamed(names, report);
    focus.step = std::min(names.step, report.program.schedule.length() - 1);
    return focus;
}

} // namespace plimsoll::app
