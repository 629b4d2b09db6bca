#include "core/facts/callers_bytes.h"
#include "core/facts/offers.h"
#include "core/facts/tables.h"
#include "core/facts/words/policy_effect.h"

#include <algorithm>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

std::int64_t nodesOf(const Report& report)
{
    return std::ranges::count(report.program.schedule.steps, StepKind::Node, &Step::kind);
}

/// "+2", "−1"; blank where nothing differs.
Cell difference(std::int64_t number)
{
    const auto order = static_cast<double>(number);
    if (number == 0) return cell::blank(0);
    return cell::text(number > 0 ? "+" + std::to_string(number) : "−" + std::to_string(-number)).sortedBy(order);
}

Cell changeOrBlank(std::int64_t bytes)
{
    return bytes == 0 ? cell::blank(0) : cell::change(bytes);
}

/// Of others the sum says less than that of this plan.
bool isTimed(const PolicyChange& row, const KernelTime& now)
{
    return row.cost.kernelMs > 0 && row.cost.untimedNodes == now.untimedNodes;
}

Cell meaning(const PolicyChange& row)
{
    const PolicyInfo* const policy = row.also.empty() ? findPolicy(row.policy) : nullptr;
    if (!policy) return cell::blank();
    const auto at = static_cast<std::size_t>(std::ranges::find(policy->values, row.value) - policy->values.begin());
    return cell::word(at < policy->valueMeanings.size() ? policy->valueMeanings[at] : "");
}

Message helpsNote(const Report& report)
{
    const auto pairs = std::ranges::count_if(report.policyChanges, [](const auto& row) { return !row.also.empty(); });
    if (report.policyChanges.empty()) return {};
    return say("helps.rows", std::ssize(report.policyChanges) - pairs, pairs);
}

struct SweepRow
{
    SweepPoint point;
    bool unbeaten = false;
};

std::vector<SweepRow> sweepRows(const Plans& plans)
{
    std::vector<SweepRow> rows;
    if (!plans.report.sweep) return rows;
    const std::vector<bool> best = unbeaten(*plans.report.sweep);
    for (std::size_t i = 0; i < best.size(); ++i)
        rows.push_back({plans.report.sweep->points[i], best[i]});
    return rows;
}

} // namespace

const FactTable& helpsTable()
{
    static const FactTable table = factTable<PolicyChange>(
        {.id = "what-helps",
         .title = "What helps most",
         .empty = "No change of a policy acts on this graph.",
         .note = helpsNote},
        {.rows = [](const Plans& plans) { return plans.report.policyChanges; }},
        {{{"Policies", "One with another value, or two", Words, 24},
          [](const Report&, const PolicyChange& row) {
              return row.also.empty() ? cell::choice(row.policy, row.value)
                                      : cell::sentence(say("text", changesList(valuesOf(row))));
          }},
         {{"Peak", "Of the plan that it makes", Number, 10},
          [](const Report&, const PolicyChange& row) { return cell::bytes(row.cost.peakBytes); }},
         {{"Change", "Of the peak, beside this plan", Number, 10},
          [](const Report& report, const PolicyChange& row) {
              return cell::change(row.cost.peakBytes - report.memory.peakBytes);
          }},
         {{"Caller's", "Inputs, weights and what else the caller holds, beside this plan", Number, 10},
          [](const Report& report, const PolicyChange& row) {
              return changeOrBlank(row.cost.externalBytes - callersBytes(report));
          }},
         {{"Kept", "From forward to backward, beside this plan", Number, 10},
          [](const Report& report, const PolicyChange& row) {
              return changeOrBlank(row.cost.savedBytes - report.training.boundaryBytes);
          }},
         {{"Kernels", "What they take, reorders among them, where as many times are known as of this plan", Number, 10},
          [](const Report& report, const PolicyChange& row) {
              return isTimed(row, kernelTime(report.program)) ? cell::seconds(row.cost.kernelMs / 1e3) : cell::blank();
          }},
         {{"Slower", "Than this plan", Number, 8},
          [](const Report& report, const PolicyChange& row) {
              const KernelTime now = kernelTime(report.program);
              return now.allMs > 0 && isTimed(row, now) ? cell::percent(row.cost.kernelMs / now.allMs - 1)
                                                        : cell::blank();
          }},
         {{"Nodes", "That run, beside this plan", Number, 8},
          [](const Report& report, const PolicyChange& row) { return difference(row.cost.steps - nodesOf(report)); }},
         {{"What it means", "The value, of one policy alone", Long, 40},
          [](const Report&, const PolicyChange& row) { return meaning(row); }}});
    return table;
}

const FactTable& sweepTable()
{
    static const FactTable table = factTable<SweepRow>(
        {.id = "sweep", .title = "Sweep", .empty = "Nothing was planned for other sizes or policies."},
        {.rows = sweepRows},
        {{{"With", "The sizes and policies that were varied", Long, 34},
          [](const Report& report, const SweepRow& row) {
              return cell::text(sweepText(report.sweep->axes, row.point.values));
          }},
         {{"Peak", "Of the plan that it makes", Number, 10},
          [](const Report&, const SweepRow& row) {
              return row.point.refused.empty() ? cell::bytes(row.point.cost.peakBytes) : cell::blank();
          }},
         {{"Lower bound", "No plan of that sharing is lower", Number, 10},
          [](const Report&, const SweepRow& row) {
              return row.point.refused.empty() ? cell::bytes(row.point.lowerBoundBytes) : cell::blank();
          }},
         {{"Caller's", "Inputs, weights as they are prepared, and what else the caller holds", Number, 10},
          [](const Report&, const SweepRow& row) {
              return row.point.refused.empty() ? cell::bytes(row.point.cost.externalBytes) : cell::blank();
          }},
         {{"Kernels", "What they take, as far as it is known", Number, 10},
          [](const Report&, const SweepRow& row) {
              return row.point.cost.kernelMs > 0 ? cell::seconds(row.point.cost.kernelMs / 1e3) : cell::blank();
          }},
         {{"Unbeaten", "Of these sizes no other is as good in peak, caller's bytes and time, and better in one", Words,
           9},
          [](const Report&, const SweepRow& row) { return row.unbeaten ? cell::word("unbeaten") : cell::blank(); }},
         {{"Remark", "Why there is no plan, or what it lacks", Long, 24}, [](const Report&, const SweepRow& row) {
              if (!row.point.refused.empty()) return cell::sentence(row.point.refused);
              if (row.point.errors > 0) return cell::word("not legal");
              return row.point.complete ? cell::blank() : cell::word("incomplete");
          }}});
    return table;
}

} // namespace plimsoll
