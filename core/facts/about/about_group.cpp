#include "core/facts/about/about_rows.h"
#include "core/facts/report.h"

#include <functional>
#include <map>
#include <utility>

namespace plimsoll {
namespace {

/// By NodeId.
using Members = std::vector<char>;

/// Storages that are alive where their arena has most live bytes, and hold what the nodes made, or their scratchpads.
std::vector<StorageId> heldAtPeak(const Report& report, const Members& inside)
{
    const std::vector<ArenaPeak>& peaks = report.memory.peaks;
    std::vector<StorageId> held;
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        if (!storage.arena.valid()) continue; // the caller's bytes
        const std::int64_t step = peaks[storage.arena.index()].step;
        if (!storage.live.contains(step)) continue;
        const auto made = [&](ValueId value) {
            const NodeId producer = (*report.program.graph)[value].producer;
            return producer.valid() && inside[producer.index()] &&
                   report.program.values[value.index()].live.contains(step);
        };
        if ((storage.scratchOf.valid() && inside[storage.scratchOf.index()]) ||
            std::ranges::any_of(storage.values, made))
            held.emplace_back(i);
    }
    std::ranges::stable_sort(held, std::greater(),
                             [&](StorageId id) { return report.program.storages[id.index()].bytes; });
    return held;
}

/// From the first of the steps to the last.
Interval stepsOf(const Report& report, const std::vector<NodeId>& nodes)
{
    Interval steps;
    for (const NodeId node : nodes) {
        const Interval own = report.program.schedule.nodes[node.index()];
        if (own.empty()) continue; // ahead of the run
        steps = steps.empty() ? own : Interval {std::min(steps.begin, own.begin), std::max(steps.end, own.end)};
    }
    return steps;
}

FactSection operatorSection(const Graph& graph, const std::vector<NodeId>& nodes, std::size_t most)
{
    std::map<std::string_view, std::size_t> counts;
    for (const NodeId node : nodes)
        ++counts[graph[node].op];
    std::vector<std::pair<std::string_view, std::size_t>> rows(counts.begin(), counts.end());
    std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.second; });
    FactSection section {"Operators", {}};
    addList(section, rows, most, [](const auto& row) {
        return Fact {std::string(row.first), cell::count(row.second)};
    });
    return section;
}

} // namespace

std::vector<FactSection> groupSections(const Report& report, const NodeGroup& group, std::size_t most, NumberForm form)
{
    const Graph& graph = *report.program.graph;
    Members inside(graph.nodes.size(), 0);
    std::size_t values = 0;
    for (const NodeId node : group.nodes) {
        inside[node.index()] = 1;
        values += static_cast<std::size_t>(std::ranges::count_if(graph[node].outputs, &ValueId::valid));
    }
    const std::vector<StorageId> held = heldAtPeak(report, inside);
    std::int64_t bytes = 0;
    for (const StorageId id : held)
        bytes += report.program.storages[id.index()].bytes;
    FactSection what {"Group", {{"Nodes", cell::count(group.nodes.size())}, {"Values made", cell::count(values)}}};
    what.facts.push_back({"At the peak", cell::bytes(bytes)});
    if (report.memory.peakBytes > 0)
        what.facts.push_back({"Share of the peak", cell::percent(static_cast<double>(bytes) /
                                                                 static_cast<double>(report.memory.peakBytes))});
    if (const Interval steps = stepsOf(report, group.nodes); !steps.empty())
        what.facts.push_back({"Steps", cell::steps(LiveRanges(steps)).leadingTo(Focus::atStep(steps.begin))});
    std::vector<FactSection> sections {std::move(what), operatorSection(graph, group.nodes, most)};
    FactSection largest {"What it holds at the peak", {}};
    addList(largest, held, most, [&](StorageId id) { return contentFact(report, id, form); });
    if (!largest.facts.empty()) sections.push_back(std::move(largest));
    return sections;
}

} // namespace plimsoll
