#include "core/report/range_changes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace plimsoll {
namespace {

/// One of the two plans, by names.
class Side
{
public:
    explicit Side(const Report& shown) : report(shown)
    {
        for (std::size_t i = 0; i < report.graph->values.size(); ++i)
            m_values.emplace(report.graph->values[i].name, i);
        const auto fullest = std::max_element(report.liveBytes.begin(), report.liveBytes.end());
        if (fullest != report.liveBytes.end()) m_peakStep = fullest - report.liveBytes.begin();
        for (const SavedReport& saved : report.saved)
            m_reasons.emplace(nameOf(saved.tensor.value), savingReasonId(saved.tensor.reason));
        for (const RecomputedReport& one : report.recomputed)
            m_reasons.emplace(nameOf(one.tensor.value), "recomputed");
    }

    const Report& report;

    [[nodiscard]] const ValueReport* find(std::string_view name) const
    {
        const auto found = m_values.find(name);
        return found == m_values.end() ? nullptr : &report.values[found->second];
    }

    [[nodiscard]] std::string_view reasonFor(std::string_view name) const
    {
        const auto found = m_reasons.find(name);
        return found == m_reasons.end() ? std::string_view() : found->second;
    }

    [[nodiscard]] bool isAtPeak(const LiveRanges& live) const { return live.contains(m_peakStep); }

    /// From which node to which: a node that is inserted before a value moves its steps, and changes nothing.
    [[nodiscard]] std::vector<std::pair<std::string_view, StepKind>> nodesOf(const LiveRanges& live) const
    {
        std::vector<std::pair<std::string_view, StepKind>> nodes;
        for (const Interval& steps : live.intervals()) {
            for (const std::int64_t step : {steps.begin, steps.end - 1}) {
                const bool last = step + 1 >= report.schedule.length();
                const Step what = last ? Step {} : report.schedule.steps[static_cast<std::size_t>(step)];
                nodes.emplace_back(last ? "" : std::string_view((*report.graph)[what.node].name), what.kind);
            }
        }
        return nodes;
    }

private:
    [[nodiscard]] std::string_view nameOf(ValueId value) const { return (*report.graph)[value].name; }

    std::unordered_map<std::string_view, std::size_t> m_values;
    std::unordered_map<std::string_view, std::string_view> m_reasons;
    std::int64_t m_peakStep = -1;
};

void compare(const Side& first, const Side& second, const std::string& name, std::vector<RangeChange>& changes)
{
    const ValueReport* old = first.find(name);
    const ValueReport* now = second.find(name);
    RangeChange change {name, old ? old->live : LiveRanges(), now ? now->live : LiveRanges(), 0, 0, 0, {}};
    if (first.nodesOf(change.before) == second.nodesOf(change.after)) return;
    change.bytes = std::max<std::int64_t>(0, now ? now->requiredBytes : old->requiredBytes);
    if (first.isAtPeak(change.before)) change.beforePeak = change.bytes;
    if (second.isAtPeak(change.after)) change.afterPeak = change.bytes;
    change.reason = second.reasonFor(name).empty() ? first.reasonFor(name) : second.reasonFor(name);
    changes.push_back(std::move(change));
}

} // namespace

std::vector<RangeChange> changedRanges(const Report& before, const Report& after)
{
    const Side first(before);
    const Side second(after);
    std::vector<RangeChange> changes;
    for (const Value& value : after.graph->values)
        compare(first, second, value.name, changes);
    for (const Value& value : before.graph->values) {
        if (!second.find(value.name)) compare(first, second, value.name, changes);
    }
    std::stable_sort(changes.begin(), changes.end(), [](const RangeChange& a, const RangeChange& b) {
        const auto key = [](const RangeChange& c) { return std::pair(std::max(c.beforePeak, c.afterPeak), c.bytes); };
        return key(a) > key(b);
    });
    return changes;
}

} // namespace plimsoll
