#include "core/report/range_changes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace plimsoll {
namespace {

struct Side
{
    explicit Side(const Report& shown) : report(shown)
    {
        for (std::size_t i = 0; i < report.graph->values.size(); ++i)
            values.emplace(report.graph->values[i].name, ValueId(i));
        const auto fullest = std::max_element(report.liveBytes.begin(), report.liveBytes.end());
        peakStep = fullest == report.liveBytes.end() ? -1 : fullest - report.liveBytes.begin();
    }

    [[nodiscard]] const ValueReport* find(const std::string& name) const
    {
        const auto found = values.find(name);
        return found == values.end() ? nullptr : &report.values[found->second.index()];
    }

    const Report& report;
    std::map<std::string, ValueId> values;
    std::int64_t peakStep = -1;
};

/// By name of value.
std::map<std::string, std::string> reasonsOf(const Report& report)
{
    std::map<std::string, std::string> reasons;
    for (const SavedReport& saved : report.saved)
        reasons.emplace((*report.graph)[saved.tensor.value].name, savingReasonId(saved.tensor.reason));
    for (const RecomputedReport& one : report.recomputed)
        reasons.emplace((*report.graph)[one.tensor.value].name, "recomputed");
    return reasons;
}

LiveRanges rangesOf(const ValueReport* value)
{
    return value ? value->live : LiveRanges();
}

/// From which node to which: a node that is inserted before a value moves its steps, and changes nothing.
std::vector<std::string> nodesOf(const Report& report, const LiveRanges& live)
{
    const auto nodeAt = [&](std::int64_t step) {
        if (step + 1 >= report.schedule.length()) return std::string("the end");
        const Step& what = report.schedule.steps[static_cast<std::size_t>(step)];
        return (*report.graph)[what.node].name + "/" + std::to_string(static_cast<int>(what.kind));
    };
    std::vector<std::string> nodes;
    for (const Interval& steps : live.intervals()) {
        nodes.push_back(nodeAt(steps.begin));
        nodes.push_back(nodeAt(steps.end - 1));
    }
    return nodes;
}

} // namespace

std::vector<RangeChange> changedRanges(const Report& before, const Report& after)
{
    const Side first(before);
    const Side second(after);
    const auto firstReasons = reasonsOf(before);
    const auto secondReasons = reasonsOf(after);
    std::map<std::string, ValueId> names = first.values;
    names.insert(second.values.begin(), second.values.end());
    std::vector<RangeChange> changes;
    for (const auto& [name, id] : names) {
        const ValueReport* old = first.find(name);
        const ValueReport* now = second.find(name);
        RangeChange change {name, rangesOf(old), rangesOf(now), 0, 0, 0, {}};
        if (nodesOf(before, change.before) == nodesOf(after, change.after)) continue;
        change.bytes = std::max<std::int64_t>(0, now ? now->requiredBytes : old->requiredBytes);
        if (change.before.contains(first.peakStep)) change.beforePeak = change.bytes;
        if (change.after.contains(second.peakStep)) change.afterPeak = change.bytes;
        for (const auto* reasons : {&secondReasons, &firstReasons}) {
            const auto found = reasons->find(name);
            if (found != reasons->end() && change.reason.empty()) change.reason = found->second;
        }
        changes.push_back(std::move(change));
    }
    std::stable_sort(changes.begin(), changes.end(), [](const RangeChange& a, const RangeChange& b) {
        const auto key = [](const RangeChange& c) { return std::pair(std::max(c.beforePeak, c.afterPeak), c.bytes); };
        return key(a) > key(b);
    });
    return changes;
}

} // namespace plimsoll
