#include "core/facts/arena_peaks.h"
#include "core/facts/callers_bytes.h"
#include "core/facts/english/english.h"
#include "core/facts/file_nodes.h"
#include "core/facts/reserved.h"
#include "core/facts/tables.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/placement_text.h"
#include "core/facts/words/stream_text.h"
#include "core/facts/words/verdict.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

Fact total(std::string name, std::int64_t bytes, std::string remark)
{
    return {std::move(name), cell::bytes(bytes).withTip(std::string(spoken(remark)))};
}

/// "at step 7, the lower bound"; empty where neither can be said.
std::string peakRemark(const Report& report)
{
    const Message places = peakPlaces(report);
    if (!report.verdict.completeness.complete() || report.memory.peakBytes != report.memory.lowerBoundBytes)
        return english(places);
    return english(places.empty() ? say("peak.lowest") : say("peak.lowest-at", places));
}

/// A given plan is measured by its own arenas: one of fewer may be below.
std::string boundRemark(const Report& report)
{
    if (!report.verdict.completeness.complete()) return "of what has a size";
    if (!boundCounts(report)) return "with this sharing, which is not legal";
    const auto& given = report.verdict.given;
    if (given && given->anySharingBoundBytes < report.memory.lowerBoundBytes)
        return "no plan with the sharing and the arenas of this one is lower";
    return "no plan with this sharing and these implementations is lower";
}

std::vector<Fact> totals(const Plans& plans)
{
    const Report& report = plans.report;
    std::vector<Fact> rows;
    const auto reserved = reservedBytes(report);
    if (reserved) rows.push_back(total("reserved", *reserved, "at once, at most"));
    rows.push_back(total(reserved ? "height of the picture" : "peak", report.memory.peakBytes,
                         reserved ? "all addresses, up to the highest block" : peakRemark(report)));
    rows.push_back(total("lower bound", report.memory.lowerBoundBytes, boundRemark(report)));
    if (report.verdict.given && report.verdict.given->ownPeakBytes)
        rows.push_back(
            total("own plan", *report.verdict.given->ownPeakBytes, "ours of the same graph, order and terms"));
    if (report.verdict.given)
        rows.push_back(total("any sharing", report.verdict.given->anySharingBoundBytes,
                             "no plan of this order and terms is lower, whatever shares"));
    rows.push_back(total("waste", wasteBytes(report), english(wasteText(report))));
    rows.push_back(
        total("no reuse", report.memory.noReuseBytes,
              english(say("no-reuse.used", percentText(report.memory.peakBytes, report.memory.noReuseBytes)))));
    if (report.program.graph->boundary.gradients > 0)
        rows.push_back(
            total("boundary", report.training.boundaryBytes, "kept from forward to backward, part of the peak"));
    if (!report.memory.fallbacks.empty())
        rows.push_back(total("dense temporaries", report.memory.fallbackBytes, "of sparse tensors, part of the plan"));
    rows.push_back(total("external", report.memory.externalBytes, "inputs, parameters and constants, beside the plan"));
    rows.push_back(total("parameters", report.memory.parameterBytes, "part of external"));
    if (report.memory.preparedBytes > 0)
        rows.push_back(
            total("prepared", report.memory.preparedBytes, "weights as libraries want them, part of external"));
    return rows;
}

Message sizesNote(const Report& report)
{
    const std::size_t values = report.program.graph->values.size();
    const std::size_t steps = report.program.schedule.steps.size();
    const Message streams = streamsSentence(report);
    return streams.empty() ? say("sizes", nodesText(report), values, report.memory.storages, steps)
                           : say("sizes.streams", nodesText(report), values, report.memory.storages, steps, streams);
}

std::vector<Fact> environment(const Plans& plans)
{
    std::vector<Fact> rows;
    for (const auto& [what, value] : plans.report.planning.environment)
        rows.push_back({what, cell::text(english(value))});
    if (!std::isnan(plans.report.planning.ms))
        rows.push_back({"planning took", cell::seconds(plans.report.planning.ms / 1e3)});
    return rows;
}

std::vector<Fact> searchFacts(const Plans& plans)
{
    const Report& report = plans.report;
    if (!report.planning.search) return {};
    const SearchRecord& search = *report.planning.search;
    std::vector<Fact> rows = {{"Algorithm", cell::text(search.algorithm)},
                              {"Found by", cell::text(search.member())},
                              {"Why it ended", cell::sentence(searchEnd(report))},
                              {report.verdict.completeness.complete() ? "Proved: no plan with this sharing is below"
                                                                      : "No plan of what has a size is below",
                               cell::bytes(search.boundBytes)},
                              {"Work, in units of about 10 ns", cell::count(static_cast<std::size_t>(search.work))},
                              {"Time", cell::seconds(search.seconds)},
                              {"Seed", cell::text(std::to_string(search.seed))}};
    if (search.workLimit) rows.push_back({"Limit of work", cell::count(static_cast<std::size_t>(*search.workLimit))});
    if (search.secondsLimit) rows.push_back({"Limit of time", cell::seconds(*search.secondsLimit)});
    return rows;
}

/// In the arenas and of the caller's together.
std::int64_t savedBytes(const Report& report, const PolicyChange& change)
{
    return report.memory.peakBytes - change.cost.peakBytes + callersBytes(report) - change.cost.externalBytes;
}

Message othersNote(const Report& report)
{
    if (report.policyChanges.empty()) return {};
    std::int64_t same = 0;
    std::int64_t higher = 0;
    std::int64_t moved = 0;
    for (const PolicyChange& change : report.policyChanges) {
        if (change.cost.peakBytes == report.memory.peakBytes) ++same;
        if (change.cost.peakBytes > report.memory.peakBytes) ++higher;
        if (change.cost.peakBytes < report.memory.peakBytes && savedBytes(report, change) <= 0) ++moved;
    }
    return say("what-if.others", report.policyChanges.size(), same, word::Size {report.memory.peakBytes}, higher,
               moved > 0 ? say("what-if.moved", moved) : Message());
}

} // namespace

const FactTable& totalsTable()
{
    static const FactTable table = factTable<Fact>(
        {.id = "totals", .title = "In numbers", .note = sizesNote}, {.rows = totals},
        {{{"What", "", Words, 20}, [](const Report&, const Fact& row) { return cell::word(row.name); }},
         {{"Bytes", "", Number, 20}, [](const Report&, const Fact& row) { return row.cell; }},
         {{"Remark", "", Long, 40}, [](const Report&, const Fact& row) { return cell::text(row.cell.tip); }}});
    return table;
}

const FactTable& environmentTable()
{
    static const FactTable table = listTable({.id = "environment", .title = "Environment"}, environment);
    return table;
}

const FactTable& policiesTable()
{
    static const FactTable table = factTable<const PolicyInfo*>(
        {.id = "policies", .title = "Policies"},
        {.rows =
             [](const Plans&) {
                 std::vector<const PolicyInfo*> rows;
                 for (const PolicyInfo& policy : policyTable())
                     rows.push_back(&policy);
                 return rows;
             }},
        {{{"Policy", "", Words, 14}, [](const Report&, const PolicyInfo* const& row) { return cell::text(row->id); }},
         {{"Value", "", Words, 14},
          [](const Report& report, const PolicyInfo* const& row) {
              return cell::text(policyValue(report.program.policies, row->id));
          }},
         {{"Meaning", "", Long, 40},
          [](const Report&, const PolicyInfo* const& row) { return cell::text(row->meaning); }}});
    return table;
}

const FactTable& bindingsTable()
{
    static const FactTable table = factTable<Binding>(
        {.id = "bindings", .title = "Symbolic dimensions"},
        {.rows = [](const Plans& plans) { return plans.report.captured.bindings; }},
        {{{"Dimension", "", Words, 14}, [](const Report&, const Binding& row) { return cell::text(row.dim); }},
         {{"Size", "", Number, 10},
          [](const Report&, const Binding& row) { return cell::count(static_cast<std::size_t>(row.size)); }},
         {{"Given or assumed", "", Long, 30}, [](const Report&, const Binding& row) {
              return cell::word(row.fromPlan  ? "as the sizes of the plan say"
                                : row.assumed ? "assumed: it was not given"
                                              : "given");
          }}});
    return table;
}

const FactTable& searchTable()
{
    static const FactTable table = listTable({.id = "search", .title = "How it was found"}, searchFacts);
    return table;
}

const FactTable& searchHistoryTable()
{
    static const FactTable table = factTable<Incumbent>(
        {.id = "search-history",
         .title = "Plans on the way",
         .empty = "The search took the first plan that it found.",
         .sortedBy = 0,
         .note = [](const Report&) { return say("table.last-first"); }},
        {.rows =
             [](const Plans& plans) {
                 const auto& search = plans.report.planning.search;
                 return search && search->history.size() > 1 ? search->history : std::vector<Incumbent>();
             }},
        {{{"After", "Seconds since the search began", Number, 10},
          [](const Report&, const Incumbent& row) { return cell::seconds(row.seconds); }},
         {{"Work", "Units of work done by then", Number, 10},
          [](const Report&, const Incumbent& row) { return cell::count(static_cast<std::size_t>(row.work)); }},
         {{"Peak", "The lowest plan by then", Number, 10},
          [](const Report&, const Incumbent& row) { return cell::bytes(row.peakBytes); }},
         {{"Bound", "No plan is lower, as was proved by then", Number, 10},
          [](const Report&, const Incumbent& row) { return cell::bytes(row.boundBytes); }},
         {{"Found by", "The part of the search that found it", Words, 20},
          [](const Report&, const Incumbent& row) { return cell::text(row.member); }}});
    return table;
}

const FactTable& tradeOffsTable()
{
    static const FactTable table = factTable<TradeOff>(
        {.id = "time-against-peak",
         .title = "Time against peak",
         .empty = "No choices are known.",
         .note =
             [](const Report& report) {
                 return report.tradeOffs.empty()
                            ? Message()
                            : say("trade-offs.taken-by", Remedy::policy("choose", "fastest-within"));
             }},
        {.rows = [](const Plans& plans) { return plans.report.tradeOffs; }},
        {{{"Kernels", "What they take, reorders among them", Number, 10},
          [](const Report&, const TradeOff& row) { return cell::seconds(row.cost.kernelMs / 1e3); }},
         {{"Slower", "Than the fastest", Number, 8},
          [](const Report& report, const TradeOff& row) {
              const double least = report.tradeOffs.front().cost.kernelMs;
              return least > 0 ? cell::percent(row.cost.kernelMs / least - 1) : cell::blank();
          }},
         {{"Peak", "Of the plan that it makes", Number, 10},
          [](const Report&, const TradeOff& row) { return cell::bytes(row.cost.peakBytes); }},
         {{"Saved", "Of the peak of this plan", Number, 10},
          [](const Report& report, const TradeOff& row) {
              return cell::change(row.cost.peakBytes - report.memory.peakBytes);
          }},
         {{"Caller's", "Inputs, weights as they are prepared, and what else the caller holds", Number, 10},
          [](const Report&, const TradeOff& row) { return cell::bytes(row.cost.externalBytes); }},
         {{"Capacity", "With it, choose=fastest-within makes the plan", Long, 20},
          [](const Report&, const TradeOff& row) { return cell::choice("capacity", row.capacity); }}});
    return table;
}

const FactTable& whatIfTable()
{
    static const FactTable table = factTable<PolicyChange>(
        {.id = "what-if",
         .title = "What one other policy would save",
         .note = othersNote,
         .whyEmpty =
             [](const Report& report) { return report.policyChanges.empty() ? Message() : say("what-if.none"); }},
        {.rows =
             [](const Plans& plans) {
                 const Report& report = plans.report;
                 std::vector<PolicyChange> rows = report.policyChanges;
                 std::erase_if(rows, [&](const PolicyChange& change) {
                     return savedBytes(report, change) <= 0 || change.cost.peakBytes >= report.memory.peakBytes;
                 });
                 return rows;
             }},
        {{{"Policy", "", Words, 20},
          [](const Report&, const PolicyChange& row) { return cell::choice(row.policy, row.value); }},
         {{"Peak", "", Number, 10},
          [](const Report&, const PolicyChange& row) { return cell::bytes(row.cost.peakBytes); }},
         {{"Saved", "", Number, 10},
          [](const Report& report, const PolicyChange& row) {
              return cell::change(row.cost.peakBytes - report.memory.peakBytes);
          }},
         {{"With the caller's", "", Number, 10},
          [](const Report& report, const PolicyChange& row) { return cell::change(-savedBytes(report, row)); }},
         {{"Kernels", "", Number, 10},
          [](const Report&, const PolicyChange& row) {
              return row.cost.kernelMs > 0 ? cell::seconds(row.cost.kernelMs / 1e3) : cell::blank();
          }},
         {{"What it means", "", Long, 40}, [](const Report&, const PolicyChange& row) {
              const PolicyInfo& policy =
                  *std::ranges::find(policyTable(), std::string_view(row.policy), &PolicyInfo::id);
              const auto at =
                  static_cast<std::size_t>(std::ranges::find(policy.values, row.value) - policy.values.begin());
              return cell::word(at < policy.valueMeanings.size() ? policy.valueMeanings[at] : "");
          }}});
    return table;
}

} // namespace plimsoll
