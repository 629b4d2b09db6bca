#include "core/facts/words/kept_until.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace plimsoll {
namespace {

bool namesOneOf(std::span<const ValueId> operands, std::span<const ValueId> values)
{
    return std::ranges::any_of(operands, [&](ValueId operand) {
        return operand.valid() && std::ranges::find(values, operand) != values.end();
    });
}

} // namespace

Message keptUntil(const Report& report, StorageId id, std::int64_t step)
{
    const Graph& graph = *report.program.graph;
    const Schedule& schedule = report.program.schedule;
    const Storage& storage = report.program.storages[id.index()];
    const auto& intervals = storage.live.intervals();
    if (intervals.empty()) return {};
    const auto alive = std::ranges::find_if(intervals, [step](Interval one) { return one.contains(step); });
    const auto live = alive == intervals.end() ? std::prev(alive) : alive;
    if (storage.scratchOf.valid()) return say("until.scratchpad", word::Name {graph[storage.scratchOf].name});
    const std::int64_t last = live->end - 1;
    const auto looksAt = [&](ValueId value) { return report.program.values[value.index()].visible; };
    const auto seen = std::ranges::find_if(storage.values, looksAt);
    if (live->end >= schedule.length() && seen != storage.values.end())
        return storage.values.size() == 1 ? say("until.caller")
                                          : say("until.caller-of", word::Name {graph[*seen].name});
    const NodeId node = last < schedule.length() ? schedule.steps[static_cast<std::size_t>(last)].node : NodeId();
    if (!node.valid()) return say("until.step", last);
    const word::Name name {graph[node].name};
    if (namesOneOf(graph[node].inputs, storage.values)) return say("until.reader", name, last);
    if (!namesOneOf(graph[node].outputs, storage.values)) return say("until.step", last);
    // Of what branches make, each in its own steps, the caller sees what their node hands out.
    const auto isSeen = [&](ValueId value) { return value.valid() && looksAt(value); };
    const bool handsOut = graph[node].body != TopBody || std::ranges::any_of(graph[node].outputs, isSeen);
    if (handsOut && seen != storage.values.end()) return say("until.caller-of", word::Name {graph[*seen].name});
    return say("until.unread", name);
}

} // namespace plimsoll
