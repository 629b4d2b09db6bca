// What the judge found, what was decided, and what was left out.
#include "core/base/bytes.h"
#include "core/facts/tables.h"
#include "core/plan/suppression.h"

#include <numeric>

namespace plimsoll {
namespace {

using enum ColumnInfo::Kind;

template <typename List>
std::vector<std::size_t> positionsIn(const List& list)
{
    std::vector<std::size_t> positions(list.size());
    std::iota(positions.begin(), positions.end(), std::size_t {0});
    return positions;
}

constexpr double Suppressed = 3; ///< Below every Severity.

const Finding& findingAt(const Report& report, std::size_t row)
{
    return report.verdict.findings[row];
}

Focus onFinding(const Report& report, const std::size_t& row)
{
    Focus focus = Focus::onFinding(static_cast<std::int32_t>(row));
    if (!findingAt(report, row).steps.empty()) focus.step = findingAt(report, row).steps.begin;
    return focus;
}

const Decision& decisionAt(const Report& report, std::size_t row)
{
    return report.decisions[row];
}

struct DecisionSum
{
    std::string_view kind;
    bool accepted = false;
    std::string rule;
    std::size_t number = 0;
    std::int64_t bytes = 0;
};

std::vector<DecisionSum> sumDecisions(const Plans& plans)
{
    std::map<std::tuple<std::string_view, bool, std::string>, DecisionSum> sums;
    for (const Decision& decision : plans.report.decisions) {
        const std::string_view kind = decisionKindId(decision.kind);
        DecisionSum& sum = sums.try_emplace({kind, decision.accepted, decision.rule},
                                            DecisionSum {kind, decision.accepted, decision.rule})
                               .first->second;
        ++sum.number;
        sum.bytes = checkedAdd(sum.bytes, std::max<std::int64_t>(decision.bytes, 0)).value_or(sum.bytes);
    }
    std::vector<DecisionSum> rows;
    for (auto& [key, sum] : sums)
        rows.push_back(std::move(sum));
    return rows;
}

/// Where the first offender was written.
Cell sourceOf(const Report& report, const Finding& finding)
{
    if (!finding.source.empty()) return cell::text(finding.source);
    for (const NodeId node : finding.nodes)
        if (Cell found = cell::source(report, node); !found.text.empty()) return found;
    return finding.values.empty() ? cell::text("") : cell::source(report, finding.values.front());
}

} // namespace

const FactTable& findingsTable()
{
    static const FactTable table = factTable<std::size_t>(
        {.id = "findings",
         .title = "Findings",
         .empty = "No findings: every rule holds, and there is no advice.",
         .sentences = true,
         .whyEmpty =
             [](const Report& report) {
                 return report.verdict.completeness.complete() ? Message() : say("table.findings-incomplete");
             },
         .leftOut = [](const Report& report) { return countFindings(report) - report.verdict.findings.size(); }},
        {.rows = [](const Plans& plans) { return positionsIn(plans.report.verdict.findings); }, .focus = onFinding},
        {{{"Severity", "error: a broken rule; warning: legal but dangerous; advice", Words, 8},
          [](const Report& report, const std::size_t& row) {
              const Finding& finding = findingAt(report, row);
              return isSuppressed(finding) ? cell::word("suppressed").sortedBy(Suppressed)
                                           : cell::level(finding.severity);
          }},
         {{"What is wrong", "Both offenders, the steps and the bytes", Long, 28},
          [](const Report& report, const std::size_t& row) {
              const Finding& finding = findingAt(report, row);
              return cell::sentence(finding.message).withTip(sourceOf(report, finding).text);
          }},
         {{"What would mend it", "A suggestion", Long, 22},
          [](const Report& report, const std::size_t& row) { return cell::sentence(findingAt(report, row).fix); }},
         {{"Steps", "When", Number, 7},
          [](const Report& report, const std::size_t& row) {
              const Interval steps = findingAt(report, row).steps;
              return steps.empty() ? cell::blank() : cell::steps(LiveRanges(steps));
          }},
         {{"Bytes", "How many bytes are contested, or would be saved", Number, 8},
          [](const Report& report, const std::size_t& row) {
              const Finding& finding = findingAt(report, row);
              const Interval bytes = finding.bytes;
              if (finding.asked) return cell::bytes(*finding.asked);
              return bytes.empty() ? cell::blank(0) : cell::span(bytes);
          }},
         {{"Rule", "Has a heading of the same name in the manual", Words, 14},
          [](const Report& report, const std::size_t& row) {
              const Rule rule = findingAt(report, row).rule;
              return cell::text(ruleId(rule)).withTip(std::string(spoken(ruleSummary(rule))));
          }},
         {{"Source", "Where the first offender was written, as far as the file tells", Long, 14},
          [](const Report& report, const std::size_t& row) { return sourceOf(report, findingAt(report, row)); }}});
    return table;
}

const FactTable& notesTable()
{
    static const FactTable table =
        factTable<Message>({.id = "notes", .title = "Notes", .empty = "Nothing was assumed.", .sentences = true},
                           {.rows = [](const Plans& plans) { return plans.report.notes; }},
                           {{{"Note", "What was assumed, or has no effect", Long, 80},
                             [](const Report&, const Message& note) { return cell::sentence(note); }}});
    return table;
}

const FactTable& unplannedTable()
{
    static const FactTable table = factTable<UnplannedValue>(
        {.id = "unplanned",
         .title = "Without a size before the run, counted apart",
         .empty = "Every value has a size before the run."},
        {.rows = [](const Plans& plans) { return plans.report.memory.unplanned; },
         .focus = [](const Report&, const UnplannedValue& row) { return Focus::on(row.value); }},
        {{{"Value", "What has no size", Words, 24},
          [](const Report& report, const UnplannedValue& row) { return cell::value(report, row.value); }},
         {{"Reason", "Why it has none", Long, 40},
          [](const Report& report, const UnplannedValue& row) { return unplannedCell(report, row); }},
         {{"At most", "As far as a bound is known", Number, 9}, [](const Report&, const UnplannedValue& row) {
              return row.upperBoundBytes >= 0 ? cell::bytes(row.upperBoundBytes)
                                              : cell::word("no bound known").sortedBy(9e18);
          }}});
    return table;
}

const FactTable& decisionCountsTable()
{
    static const FactTable table = factTable<DecisionSum>(
        {.id = "decision-counts", .title = "Decisions in short", .empty = "Nothing was decided."},
        {.rows = sumDecisions},
        {{{"Kind", "What it is about", Words, 14},
          [](const Report&, const DecisionSum& sum) { return cell::text(sum.kind); }},
         {{"Accepted", "Or refused", Words, 8},
          [](const Report&, const DecisionSum& sum) { return cell::word(sum.accepted ? "yes" : "no"); }},
         {{"Rule", "By which", Long, 20}, [](const Report&, const DecisionSum& sum) { return cell::text(sum.rule); }},
         {{"Number", "So many", Number, 8},
          [](const Report&, const DecisionSum& sum) { return cell::count(sum.number); }},
         {{"Bytes", "At stake", Number, 9},
          [](const Report&, const DecisionSum& sum) { return cell::bytes(sum.bytes); }}});
    return table;
}

const FactTable& decisionsTable()
{
    static const FactTable table = factTable<std::size_t>(
        {.id = "decisions",
         .title = "Decisions",
         .empty = "Nothing was decided.",
         .sortedBy = 5,
         .note = [](const Report&) { return say("table.most-at-stake-first"); }},
        {.rows = [](const Plans& plans) { return positionsIn(plans.report.decisions); }},
        {{{"Kind", "What it is about", Words, 14},
          [](const Report& report, const std::size_t& row) {
              return cell::text(decisionKindId(decisionAt(report, row).kind));
          }},
         {{"Subject", "The value or node", Words, 20},
          [](const Report& report, const std::size_t& row) { return cell::text(decisionAt(report, row).subject); }},
         {{"Other", "Its partner", Words, 20},
          [](const Report& report, const std::size_t& row) { return cell::text(decisionAt(report, row).other); }},
         {{"Accepted", "Or refused", Words, 8},
          [](const Report& report, const std::size_t& row) {
              return cell::word(decisionAt(report, row).accepted ? "yes" : "no");
          }},
         {{"Reason", "Why", Long, 40},
          [](const Report& report, const std::size_t& row) { return cell::sentence(decisionAt(report, row).reason); }},
         {{"Bytes", "At stake", Number, 9},
          [](const Report& report, const std::size_t& row) { return cell::bytes(decisionAt(report, row).bytes); }}});
    return table;
}

} // namespace plimsoll
