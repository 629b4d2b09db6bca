#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/callers_bytes.h"
#include "core/facts/words/report_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plimsoll {
namespace {

std::string changeText(std::int64_t bytes)
{
    if (bytes == 0) return "same";
    return (bytes > 0 ? "+" : "−") + formatBytes(std::abs(bytes));
}

std::string timeText(const PlanCost& cost)
{
    if (cost.kernelMs <= 0) return "";
    char text[32];
    std::snprintf(text, sizeof text, "%.3g ms", cost.kernelMs);
    return text;
}

/// "everything that depends on constants alone"
std::string meaningOf(const PolicyChange& change)
{
    for (const PolicyInfo& policy : policyTable()) {
        if (policy.id != change.policy) continue;
        const auto value = std::find(policy.values.begin(), policy.values.end(), change.value);
        const auto at = static_cast<std::size_t>(value - policy.values.begin());
        if (at < policy.valueMeanings.size()) return std::string(policy.valueMeanings[at]);
    }
    return {};
}

/// In the arenas and of the caller's together.
std::int64_t savedBytes(const Report& report, const PolicyChange& change)
{
    return report.memory.peakBytes - change.cost.peakBytes + callersBytes(report) - change.cost.externalBytes;
}

std::string othersText(const Report& report)
{
    std::int64_t same = 0;
    std::int64_t higher = 0;
    std::int64_t moved = 0;
    for (const PolicyChange& change : report.policyChanges) {
        if (change.cost.peakBytes == report.memory.peakBytes) ++same;
        if (change.cost.peakBytes > report.memory.peakBytes) ++higher;
        if (change.cost.peakBytes < report.memory.peakBytes && savedBytes(report, change) <= 0) ++moved;
    }
    std::string text = "Of " + countText(report.policyChanges.size()) + " single changes that act on this graph " +
                       formatCount(same) + " leave the peak of " + formatBytes(report.memory.peakBytes) +
                       " as it is and " + formatCount(higher) + " make it higher";
    if (moved > 0) text += "; " + formatCount(moved) + " lower it by no more bytes than the caller brings for it";
    return text + ".";
}

} // namespace

DocumentTable whatIfTable(const Report& report)
{
    DocumentTable table {"what-if",
                         "What one other policy would save",
                         {{"Policy"},
                          {"Peak", true},
                          {"Saved", true},
                          {"With the caller's", true},
                          {"Kernels", true},
                          {"What it means"}},
                         {},
                         0,
                         {}};
    if (report.policyChanges.empty()) return table;
    for (const PolicyChange& change : report.policyChanges) {
        const std::int64_t saved = savedBytes(report, change);
        if (saved <= 0 || change.cost.peakBytes >= report.memory.peakBytes) continue;
        table.rows.push_back({change.policy + "=" + change.value, formatBytes(change.cost.peakBytes),
                              changeText(change.cost.peakBytes - report.memory.peakBytes), changeText(-saved),
                              timeText(change.cost), meaningOf(change)});
    }
    table.note = othersText(report);
    if (table.rows.empty()) table.rows.push_back({"none", "", "", "", "", "no single change saves bytes"});
    table.total = table.rows.size();
    return table;
}

} // namespace plimsoll
