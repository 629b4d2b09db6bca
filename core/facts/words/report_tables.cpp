#include "core/facts/words/report_tables.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/completeness.h"
#include "core/facts/english/english.h"
#include "core/facts/file_nodes.h"
#include "core/facts/given.h"
#include "core/facts/reserved.h"
#include "core/facts/words/gradient_rows.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/run_sentences.h"
#include "core/facts/words/stream_text.h"
#include "core/facts/words/strided_view.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <set>

namespace plimsoll {
namespace {

std::string arenaText(const Report& report, ArenaId arena)
{
    if (!arena.valid() || arena.index() >= report.program.map.arenas.size()) return "";
    return std::to_string(arena.number()) + " (" + report.program.map.arenas[arena.index()].space + ")";
}

template <typename Ids>
std::string names(const Graph& graph, const Ids& ids, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < ids.size() && i < most; ++i)
        text += (i == 0 ? "" : ", ") + graph[ids[i]].name;
    return ids.size() > most ? text + " and " + countText(ids.size() - most) + " more" : text;
}

/// The first \p most positions in falling order of \p bytesOf.
template <typename BytesOf>
std::vector<std::size_t> biggest(std::vector<std::size_t> positions, std::size_t most, BytesOf bytesOf)
{
    const auto bigger = [&](std::size_t a, std::size_t b) {
        return bytesOf(a) != bytesOf(b) ? bytesOf(a) > bytesOf(b) : a < b;
    };
    const std::size_t shown = std::min(most, positions.size());
    std::partial_sort(positions.begin(), positions.begin() + static_cast<std::ptrdiff_t>(shown), positions.end(),
                      bigger);
    positions.resize(shown);
    return positions;
}

std::vector<std::size_t> allPositions(std::size_t size)
{
    std::vector<std::size_t> positions(size);
    std::iota(positions.begin(), positions.end(), std::size_t {0});
    return positions;
}

/// "2 rules", "1 rule 7 times".
std::string brokenRules(const Report& report, std::size_t errors)
{
    std::set<Rule> rules;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == Severity::Error) rules.insert(finding.rule);
    }
    return plural(rules.size(), "rule") + (errors > rules.size() ? " " + plural(errors, "time") : "");
}

std::string legality(const Report& report)
{
    const std::size_t errors = countFindings(report, Severity::Error);
    const std::size_t warnings = countFindings(report, Severity::Warning);
    const std::string missing = english(incompleteText(report));
    const std::string whose = !missing.empty()         ? "Incomplete: " + missing + ". What has a size"
                              : report.program.ownPlan ? "The plan"
                                                       : "The given plan";
    const std::size_t refused = countRefusals(report);
    if (refused > 0 && errors == refused)
        return "The process ran out of memory: " + plural(refused, "request") + " " + (refused == 1 ? "was" : "were") +
               " refused.";
    if (errors > 0) return whose + " breaks " + brokenRules(report, errors) + ": it is not safe to execute.";
    if (warnings > 0) return whose + " breaks no rule, with " + plural(warnings, "warning") + ".";
    return whose + " breaks no rule.";
}

} // namespace

std::string DocumentTable::cutNote() const
{
    if (rows.size() >= total) return {};
    return "Showing " + countText(rows.size()) + " of " + countText(total) + ".";
}

std::string_view roleName(ValueRole role)
{
    switch (role) {
    case ValueRole::Input:
        return "input";
    case ValueRole::Parameter:
        return "parameter";
    case ValueRole::Constant:
        return "constant";
    case ValueRole::Intermediate:
        return "intermediate";
    case ValueRole::BodyInput:
        return "body-input";
    }
    return "";
}

std::string verdictSentence(const Report& report)
{
    const auto& gaps = report.verdict.completeness.gaps;
    if (!gaps.empty() && gaps.front().kind == Gap::Kind::NoNodes)
        return "Incomplete: " + english(incompleteText(report)) + ".";
    std::string text = legality(report);
    const std::int64_t peak = mostTakenBytes(report);
    if (!report.verdict.completeness.complete())
        return text + " It needs " + formatBytes(peak) + " at its peak" + peakPlaces(report) + ".";
    text += reservedBytes(report) ? " At most " + formatBytes(peak) + " were reserved at once, "
                                  : " It needs " + formatBytes(peak) + " at its peak" + peakPlaces(report) + ", ";
    text += peak == report.memory.lowerBoundBytes
                ? "exactly the lower bound for this sharing and these implementations, "
                : percentText(peak - report.memory.lowerBoundBytes, report.memory.lowerBoundBytes) +
                      " above the lower bound of " + formatBytes(report.memory.lowerBoundBytes) +
                      " for this sharing and these implementations, ";
    text += "and " + percentText(peak, report.memory.noReuseBytes) + " of the " +
            formatBytes(report.memory.noReuseBytes) + " without reuse.";
    const std::string given = givenSentence(report);
    return given.empty() ? text : text + " " + given;
}

DocumentTable totalsTable(const Report& report)
{
    DocumentTable table {"totals", "In numbers", {{"What"}, {"Bytes", true}}, {}, 0, {}};
    const auto reserved = reservedBytes(report);
    table.rows = {
        {reserved ? "Height of the picture: all addresses" : "Peak of the plan", bytesText(report.memory.peakBytes)},
        {report.verdict.completeness.complete() ? "Lower bound for this sharing and these implementations"
                                                : "Lower bound of what has a size",
         bytesText(report.memory.lowerBoundBytes)},
        {"Without reuse", bytesText(report.memory.noReuseBytes)},
        {"Inputs, parameters, constants and what is prepared ahead, beside the plan",
         bytesText(report.memory.externalBytes)},
        {"Parameters among them", bytesText(report.memory.parameterBytes)},
        {"Prepared ahead among them", bytesText(report.memory.preparedBytes)}};
    if (reserved) table.rows.insert(table.rows.begin(), {"Reserved at once, at most", bytesText(*reserved)});
    if (report.verdict.given) {
        if (report.verdict.given->ownPeakBytes)
            table.rows.push_back(
                {"Our own plan of the same graph, order and terms", bytesText(*report.verdict.given->ownPeakBytes)});
        table.rows.push_back({"Lower bound for any sharing of this order and these terms",
                              bytesText(report.verdict.given->anySharingBoundBytes)});
    }
    if (!report.memory.fallbacks.empty())
        table.rows.push_back(
            {"Dense temporaries of sparse tensors, a part of the plan", bytesText(report.memory.fallbackBytes)});
    table.total = table.rows.size();
    const auto planned =
        static_cast<std::size_t>(std::count_if(report.program.storages.begin(), report.program.storages.end(),
                                               [](const Storage& storage) { return storage.arena.valid(); }));
    table.note = nodesText(report) + ", " + plural(report.program.graph->values.size(), "value") + ", " +
                 plural(planned, "storage") + ", " + plural(report.program.schedule.steps.size(), "step");
    if (report.program.streams.several()) table.note += "; " + streamsSentence(report);
    table.note += ".";
    return table;
}

DocumentTable arenasTable(const Report& report)
{
    DocumentTable table {
        "arenas",
        "Arenas",
        {{"Arena", true}, {"Space"}, {"Bytes", true}, {"Lower bound", true}, {"Alignment", true}, {"Capacity", true}},
        {},
        0,
        {}};
    for (std::size_t i = 0; i < report.program.map.arenas.size(); ++i) {
        const PlannedArena& arena = report.program.map.arenas[i];
        const std::int64_t bound = i < report.memory.arenas.size() ? report.memory.arenas[i].lowerBoundBytes : 0;
        table.rows.push_back({countText(i), arena.space, bytesText(arena.bytes), bytesText(bound),
                              formatCount(arena.alignment),
                              arena.capacityBytes ? bytesText(*arena.capacityBytes) : "unlimited"});
    }
    table.total = table.rows.size();
    return table;
}

DocumentTable findingsTable(const Report& report, std::size_t most)
{
    DocumentTable table {"findings",
                         "Findings",
                         {{"Severity"}, {"Rule"}, {"What is wrong"}, {"Steps"}, {"Bytes"}, {"What would mend it"}},
                         {},
                         0,
                         {}};
    for (const Finding& finding : report.verdict.findings) {
        if (table.rows.size() == most) break;
        table.rows.push_back({std::string(severityName(finding.severity)), std::string(ruleId(finding.rule)),
                              english(finding.message), rangeText(finding.steps), rangeText(finding.bytes),
                              english(finding.fix)});
    }
    table.total = countFindings(report);
    return table;
}

DocumentTable storagesTable(const Report& report, std::size_t most)
{
    DocumentTable table {"storages",
                         "Storages",
                         {{"Storage", true}, {"Arena"}, {"Offset", true}, {"Bytes", true}, {"Live steps"}, {"Values"}},
                         {},
                         0,
                         {}};
    std::vector<std::size_t> planned = allPositions(report.program.storages.size());
    std::erase_if(planned, [&](std::size_t i) { return !report.program.storages[i].arena.valid(); });
    table.total = planned.size();
    for (const std::size_t i :
         biggest(std::move(planned), most, [&](std::size_t s) { return report.program.storages[s].bytes; })) {
        const Storage& storage = report.program.storages[i];
        const std::string whose = storage.scratchOf.valid()
                                      ? "scratchpad of " + (*report.program.graph)[storage.scratchOf].name
                                      : names(*report.program.graph, storage.values, 6);
        table.rows.push_back({countText(i), arenaText(report, storage.arena), formatCount(storage.offset),
                              bytesText(storage.bytes), rangesText(storage.live), whose});
    }
    table.note = "The biggest first.";
    return table;
}

DocumentTable valuesTable(const Report& report, std::size_t most)
{
    DocumentTable table {"values",
                         "Biggest values",
                         {{"Value"}, {"Role"}, {"Type"}, {"Bytes", true}, {"Storage", true}, {"Live steps"}},
                         {},
                         0,
                         {}};
    const auto bytesOf = [&](std::size_t i) { return report.program.values[i].requiredBytes; };
    for (const std::size_t i : biggest(allPositions(report.program.values.size()), most, bytesOf)) {
        const Value& value = report.program.graph->values[i];
        const PlannedValue& planned = report.program.values[i];
        const std::string strides = stridesText(*report.program.graph, ValueId(i));
        const std::string type = describe(value.type) + (strides.empty() ? "" : ", " + strides);
        table.rows.push_back({value.name, std::string(roleName(value.role)), type, bytesText(planned.requiredBytes),
                              planned.storage.valid() ? std::to_string(planned.storage.number()) : "",
                              rangesText(planned.live)});
    }
    table.total = report.program.values.size();
    return table;
}

DocumentTable gradientsTable(const Report& report)
{
    DocumentTable table {
        "gradients", "Gradients", {{"Variable"}, {"Request"}, {"Gradient"}, {"Added to"}, {"Bytes", true}}, {}, 0, {}};
    const auto name = [&](ValueId value) {
        return value.valid() ? (*report.program.graph)[value].name : std::string();
    };
    for (const GradientRow& row : gradientRows(report)) {
        table.rows.push_back(
            {name(row.variable), std::string(gradientRequestName(row.request)), name(row.gradient), name(row.buffer),
             row.gradient.valid() ? bytesText(report.program.values[row.gradient.index()].requiredBytes)
                                  : std::string()});
    }
    table.total = table.rows.size();
    return table;
}

DocumentTable decisionCountsTable(const Report& report)
{
    struct Sum
    {
        std::int64_t number = 0;
        std::int64_t bytes = 0;
    };
    std::map<std::tuple<std::string_view, bool, std::string>, Sum> sums;
    for (const Decision& decision : report.decisions) {
        Sum& sum = sums[{decisionKindId(decision.kind), decision.accepted, decision.rule}];
        ++sum.number;
        sum.bytes = checkedAdd(sum.bytes, std::max<std::int64_t>(decision.bytes, 0)).value_or(sum.bytes);
    }
    DocumentTable table {"decision-counts",
                         "Decisions in short",
                         {{"Kind"}, {"Accepted"}, {"Rule"}, {"Number", true}, {"Bytes", true}},
                         {},
                         0,
                         {}};
    for (const auto& [key, sum] : sums) {
        table.rows.push_back({std::string(std::get<0>(key)), std::get<1>(key) ? "yes" : "no", std::get<2>(key),
                              formatCount(sum.number), bytesText(sum.bytes)});
    }
    table.total = table.rows.size();
    return table;
}

DocumentTable decisionsTable(const Report& report, std::size_t most)
{
    DocumentTable table {
        "decisions", "Decisions", {{"Kind"}, {"Subject"}, {"Other"}, {"Accepted"}, {"Reason"}, {"Bytes", true}},
        {},          0,           {}};
    const auto bytesOf = [&](std::size_t i) { return report.decisions[i].bytes; };
    for (const std::size_t i : biggest(allPositions(report.decisions.size()), most, bytesOf)) {
        const Decision& decision = report.decisions[i];
        table.rows.push_back({std::string(decisionKindId(decision.kind)), decision.subject, decision.other,
                              decision.accepted ? "yes" : "no", english(decision.reason), bytesText(decision.bytes)});
    }
    table.total = report.decisions.size();
    table.note = "Those with the most bytes at stake first.";
    return table;
}

DocumentTable policiesTable(const Report& report)
{
    DocumentTable table {"policies", "Policies", {{"Policy"}, {"Value"}, {"Meaning"}}, {}, 0, {}};
    for (const PolicyInfo& policy : policyTable()) {
        table.rows.push_back(
            {std::string(policy.id), policyValue(report.program.policies, policy.id), std::string(policy.meaning)});
    }
    table.total = table.rows.size();
    return table;
}

DocumentTable bindingsTable(const Report& report)
{
    DocumentTable table {
        "bindings", "Symbolic dimensions", {{"Dimension"}, {"Size", true}, {"Given or assumed"}}, {}, 0, {}};
    for (const Binding& binding : report.captured.bindings) {
        table.rows.push_back({binding.dim, formatCount(binding.size),
                              binding.fromPlan  ? "as the sizes of the plan say"
                              : binding.assumed ? "assumed: it was not given"
                                                : "given"});
    }
    table.total = table.rows.size();
    return table;
}

DocumentTable unplannedTable(const Report& report, std::size_t most)
{
    DocumentTable table {
        "unplanned", "Not planned: no size before the run", {{"Value"}, {"Reason"}, {"At most", true}}, {}, 0, {}};
    for (const UnplannedValue& value : report.memory.unplanned) {
        if (table.rows.size() == most) break;
        const std::string bound = value.upperBoundBytes >= 0 ? bytesText(value.upperBoundBytes) : "no bound known";
        table.rows.push_back({(*report.program.graph)[value.value].name, english(value.reason), bound});
    }
    table.total = report.memory.unplanned.size();
    return table;
}

DocumentTable notesTable(const Report& report)
{
    DocumentTable table {"notes", "Notes", {{"What was assumed, or has no effect"}}, {}, 0, {}};
    for (const std::string& note : english(report.notes))
        table.rows.push_back({note});
    table.total = table.rows.size();
    return table;
}

DocumentTable environmentTable(const Report& report)
{
    DocumentTable table {"environment", "Environment", {{"What"}, {"Value"}}, {}, 0, {}};
    for (const auto& [what, value] : report.planning.environment)
        table.rows.push_back({what, value});
    char ms[32];
    std::snprintf(ms, sizeof ms, "%.1f ms", report.planning.ms);
    table.rows.push_back({"planning took", ms});
    table.total = table.rows.size();
    return table;
}

DocumentTable runTable(const Report& report)
{
    DocumentTable table {"run", "Run", {{"What"}, {"Value", true}}, {}, 0, {}};
    if (!report.run) return table;
    const RunResult& run = *report.run;
    table.rows = {{"Mode", run.mode},
                  {"Backend", run.backend},
                  {"Measured peak", bytesText(run.measuredPeakBytes)},
                  {"Peak of what was not planned", bytesText(run.unplannedPeakBytes)},
                  {"Fingerprinted nodes", formatCount(run.fingerprintedNodes)},
                  {"Values compared with the oracle", formatCount(run.comparedValues)},
                  {"Bytes compared with the oracle", bytesText(run.comparedBytes)},
                  {"Mismatches", countText(run.mismatches.size())}};
    for (const std::string& sentence : scopeSentences(run))
        table.rows.insert(table.rows.begin(), {"Not all was run", sentence});
    if (!run.orders.empty())
        table.rows.push_back({"Orders of its streams that were run", countText(run.orders.size())});
    if (run.replayed) table.rows.push_back({"Outputs that another replay changed", countText(run.replayed->size())});
    if (run.measuredBySpace.size() > 1) {
        for (const auto& [space, bytes] : run.measuredBySpace)
            table.rows.push_back({"Measured in " + space, bytesText(bytes)});
    }
    for (const std::string& sentence : deviceSentences(run))
        table.rows.push_back({"Device", sentence});
    table.total = table.rows.size();
    return table;
}

DocumentTable mismatchesTable(const Report& report, std::size_t most)
{
    DocumentTable table {"mismatches",
                         "Mismatches with the oracle",
                         {{"Value"}, {"Node"}, {"Step", true}, {"Largest difference", true}, {"Note"}},
                         {},
                         0,
                         {}};
    if (!report.run) return table;
    for (const RunResult::Mismatch& mismatch : report.run->mismatches) {
        if (table.rows.size() == most) break;
        char difference[32];
        std::snprintf(difference, sizeof difference, "%g", mismatch.maxAbsDiff);
        table.rows.push_back({mismatch.value, mismatch.node, formatCount(mismatch.step), difference, mismatch.note});
    }
    table.total = report.run->mismatches.size();
    return table;
}

} // namespace plimsoll
