#include "app/cli/commands/all_commands.h"
#include "app/cli/compared_file.h"
#include "app/cli/fact_text.h"
#include "app/cli/files.h"
#include "app/cli/gates.h"
#include "app/cli/options.h"
#include "app/cli/printed.h"
#include "core/facts/compare/peak_differences.h"
#include "core/facts/completeness.h"
#include "core/facts/english/english.h"
#include "core/facts/range_changes.h"
#include "core/facts/stream_waits.h"
#include "core/facts/tables.h"
#include "core/facts/words/stream_text.h"
#include "core/formats/files/json_text.h"
#include "core/report/completeness_json.h"
#include "core/report/sarif_writer.h"
#include "core/report/writers.h"

#include <nlohmann/json.hpp>

#include <array>
#include <memory>
#include <optional>
#include <sstream>

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions : GraphOptions
{
    std::string other; ///< The second file; empty: the first under other policies.
    std::string graphOfPlans;
    std::vector<std::string> first;
    std::vector<std::string> second;
    std::vector<std::string> gates;
    std::vector<std::string> matches;
    std::string json;
    std::string sarif;
    std::string markdown;
};

struct Compared
{
    Report before;
    Report after;
    std::string firstFile;
    std::string secondFile;
};

/// A plan belongs to the graph that is named, or else to the other file.
Result<Compared> readBoth(const CompareOptions& options)
{
    const std::string second = options.other.empty() ? options.graph : options.other;
    const auto graphFor = [&](const std::string& other) {
        if (!options.graphOfPlans.empty()) return options.graphOfPlans;
        const ComparedKind kind = comparedKind(other);
        return kind == ComparedKind::Graph || kind == ComparedKind::Packed ? other : std::string();
    };
    GraphOptions one = options;
    GraphOptions other = options;
    other.graph = second;
    one.overrides = options.first;
    other.overrides = options.second;
    const bool two = !options.other.empty();
    PLIMSOLL_ASSIGN(before, readCompared(one, graphFor(second), two));
    PLIMSOLL_ASSIGN(after, readCompared(other, graphFor(options.graph), two));
    return Compared {std::move(before), std::move(after), options.graph, second};
}

/// "A, before: squeezenet (light_squeezenet.onnx), fold=shapes": the policies in which the two differ.
std::string headerText(const char* side, const std::string& file, const Report& shown, const Report& other)
{
    std::string text = std::string(side) + ": " + shown.program.graph->name + " (" + file + ")";
    for (const PolicyInfo& policy : policyTable()) {
        const std::string value = policyValue(shown.program.policies, policy.id);
        if (value != policyValue(other.program.policies, policy.id))
            text += ", " + std::string(policy.id) + "=" + value;
    }
    return text + "\n";
}

/// "A is incomplete: …"; empty where it is complete.
std::string incompleteFirst(const char* letter, const Report& report)
{
    const std::string line = english(incompleteLine(report));
    return line.empty() ? line : std::string(letter) + " is " + line + "\n";
}

/// "B is not legal: 3 errors"; empty where it is legal.
std::string illegalFirst(const char* letter, const Report& report)
{
    const std::size_t errors = countFindings(report, Severity::Error);
    return errors == 0 ? std::string() : std::string(letter) + " is " + english(say("plan.not-legal", errors)) + "\n";
}

using Table = const FactTable& (*)();
/// Both sides in numbers, what waits in one of them only, and what the peaks differ by.
constexpr std::array<Table, 3> ComparisonTables = {comparedTable, waitsTable, changesTable};

std::string tablesText(const Plans& plans)
{
    std::string text;
    for (const Table table : {comparedTable, waitsTable})
        text += tableText(table(), plans, AllRows);
    const std::string changes = tableText(changesTable(), plans, AllRows);
    return text + (changes.empty() ? "\n" + std::string(changesTable().empty) + "\n" : changes);
}

std::vector<std::string> linesIn(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

Json streamsJson(const Report& report)
{
    if (!knowsStreams(report.program)) return nullptr;
    const WaitingStorages waiting = waitingStorages(report);
    Json events = Json::array();
    for (const auto& [before, after] : namedWaits(report.program))
        events.push_back({{"after", after}, {"before", before}});
    return {{"count", report.program.streams.count()},
            {"events", std::move(events)},
            {"waitingStorages", waiting.count},
            {"waitingBytes", waiting.bytes}};
}

Json rangesJson(const LiveRanges& live)
{
    Json list = Json::array();
    for (const Interval& steps : live.intervals())
        list.push_back({steps.begin, steps.end});
    return list;
}

Json rowsJson(const ComparedPeaks& peaks)
{
    Json list = Json::array();
    for (const PeakDifference& row : peaks.rows)
        list.push_back({{"kind", peakDifferenceId(row.kind)},
                        {"space", row.space},
                        {"value", row.name},
                        {"other", row.other},
                        {"before", row.before},
                        {"after", row.after},
                        {"bytes", row.bytes()}});
    return list;
}

Json gatesJson(const std::vector<Gate>& gates, const Report& before, const Report& after)
{
    Json list = Json::array();
    for (const Gate& gate : gates) {
        const Gated gated = judge(gate, before, after);
        list.push_back({{"gate", gate.text}, {"before", gated.before}, {"after", gated.now}, {"failed", gated.failed}});
    }
    return list;
}

std::string compareJson(const Report& before, const Report& after, const PlanMatches& matches,
                        const std::vector<Gate>& gates)
{
    const auto side = [](const Report& report) -> Json {
        Json policies;
        for (const PolicyInfo& policy : policyTable())
            policies[std::string(policy.id)] = policyValue(report.program.policies, policy.id);
        return {{"graph", report.program.graph->name},
                {"peakBytes", report.memory.peakBytes},
                {"lowerBoundBytes", report.memory.lowerBoundBytes},
                {"noReuseBytes", report.memory.noReuseBytes},
                {"boundaryBytes", report.training.boundaryBytes},
                {"externalBytes", report.memory.externalBytes},
                {"preparedBytes", report.memory.preparedBytes},
                {"incomplete", incompleteJson(report)},
                {"errors", countFindings(report, Severity::Error)},
                {"policies", std::move(policies)},
                {"streams", streamsJson(report)}};
    };
    Json list = Json::array();
    for (const RangeChange& change : changedRanges(before, after, matches.values))
        list.push_back({{"value", change.value},
                        {"bytes", change.bytes},
                        {"before", rangesJson(change.before)},
                        {"after", rangesJson(change.after)},
                        {"peakBefore", change.beforePeak},
                        {"peakAfter", change.afterPeak},
                        {"placeBefore", change.beforePlace},
                        {"placeAfter", change.afterPlace},
                        {"sharesBefore", change.beforeHost},
                        {"sharesAfter", change.afterHost},
                        {"reason", english(change.reason)}});
    const ComparedPeaks peaks = comparePeaks(before, after, matches);
    const ValueMatches& values = matches.values;
    return jsonText(Json {{"schema", "plimsoll.compare/1"},
                          {"a", side(before)},
                          {"b", side(after)},
                          {"sum", peaks.sum},
                          {"rows", rowsJson(peaks)},
                          {"matched",
                           {{"byHand", matches.byHand},
                            {"byName", values.byName},
                            {"byStructure", values.byStructure},
                            {"onlyA", values.onlyFirst()},
                            {"onlyB", values.onlySecond()}}},
                          {"gates", gatesJson(gates, before, after)},
                          {"values", list}});
}

/// "40 values of both matched by name, …": how the two were brought together.
std::string matchedText(const PlanMatches& matches)
{
    const ValueMatches& values = matches.values;
    const std::string byHand = matches.byHand > 0 ? english(say("compare.by-hand", matches.byHand)) + "\n" : "";
    return byHand +
           english(say("compare.matched", values.byName, values.byStructure, values.onlyFirst(), values.onlySecond())) +
           "\n";
}

/// "A_NAME=B_NAME". Of several signs of equality it is the one with a name of each plan beside it, else the first.
Result<SaidMatch> readMatch(const std::string& text, const Report& before, const Report& after)
{
    std::optional<SaidMatch> read;
    for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
        SaidMatch match {text.substr(0, at), text.substr(at + 1)};
        if (isNamed(before, match.first) && isNamed(after, match.second)) return match;
        if (!read) read = std::move(match);
    }
    if (read) return *std::move(read);
    return Error {ErrorCode::BadUsage, say("usage.form", "--match", "A_NAME=B_NAME", word::Name {text}), {}, {}};
}

Result<PlanMatches> readMatches(const std::vector<std::string>& texts, const Report& before, const Report& after)
{
    std::vector<SaidMatch> said;
    for (const std::string& text : texts) {
        PLIMSOLL_ASSIGN(match, readMatch(text, before, after));
        said.push_back(std::move(match));
    }
    PlanMatches matches = matchPlans(before, after, said);
    if (!matches.wrong) return matches;
    matches.wrong->where = "--match " + matches.wrong->where;
    return *std::move(matches.wrong);
}

/// What got worse: findings that the first plan has not, and gates that fail.
std::string compareSarif(const Compared& both, const std::vector<Message>& failures)
{
    std::vector<Finding> findings = both.after.verdict.findings;
    takeOutKnown(findings, both.after, both.before);
    return writeSarif(
        {.report = both.after, .file = both.secondFile, .findings = findings, .failures = failures, .isNew = true});
}

Result<ExitStatus> compare(CompareOptions options)
{
    options.outputs = {{"--json", options.json}, {"--markdown", options.markdown}, {"--sarif", options.sarif}};
    PLIMSOLL_TRY(refuseContradictions("--a", options.first));
    PLIMSOLL_TRY(refuseContradictions("--b", options.second));
    PLIMSOLL_ASSIGN(gates, readGates(options.gates));
    PLIMSOLL_ASSIGN(both, readBoth(options));
    const auto& [before, after, firstFile, secondFile] = both;
    PLIMSOLL_ASSIGN(matches, readMatches(options.matches, before, after));
    const std::string header = incompleteFirst("A", before) + incompleteFirst("B", after) + illegalFirst("A", before) +
                               illegalFirst("B", after) + headerText("A, before", firstFile, before, after) +
                               headerText("B, now", secondFile, after, before) + matchedText(matches);
    const std::vector<Message> failed = failuresOf(gates, before, after);
    const std::string failures = failuresText(failed);
    Plans plans {after, &before};
    plans.matches = &matches;
    std::vector<TextFile> files;
    if (!options.json.empty()) files.push_back({options.json, compareJson(before, after, matches, gates)});
    if (!options.markdown.empty())
        files.push_back({options.markdown, writeMarkdown(linesIn(header + failures), plans, ComparisonTables)});
    if (!options.sarif.empty()) files.push_back({options.sarif, compareSarif(both, failed)});
    PLIMSOLL_TRY(writeTexts(files));
    if (options.json != "-" && options.markdown != "-" && options.sarif != "-")
        PLIMSOLL_TRY(printText(header + tablesText(plans) + (failures.empty() ? failures : "\n" + failures),
                               {before.program.graph.get(), after.program.graph.get()}));
    return failures.empty() ? ExitStatus::Fine : ExitStatus::Findings;
}

} // namespace

Command compareCommand()
{
    auto options = std::make_shared<CompareOptions>();
    return {.name = "compare",
            .meaning =
                "Compare two plans: graphs, plans, saved reports, packed tables or snapshots, or one graph under two "
                "policies. What the peaks differ by, byte for byte",
            .arguments = joined(
                {graphArguments(*options),
                 {{"B", &options->other, "The second file; the first one again where it is left out"},
                  {"--graph", &options->graphOfPlans,
                   "The graph of a file that is a plan (plimsoll.plan/1); else the other file is its graph"},
                  {"--a", &options->first, "Policy of the first as id=value; may be repeated"},
                  {"--b", &options->second, "Policy of the second as id=value; may be repeated"},
                  {"--fail-if", &options->gates, gatesMeaning("B", "A")},
                  {"--match", &options->matches,
                   "A_NAME=B_NAME: what A calls so is what B calls otherwise: a value, scratch:NODE, or a storage as "
                   "s12; may be repeated"},
                  {"--sarif", &options->sarif,
                   "Write findings that A has not, and gates that fail, as SARIF 2.1.0 there; '-' is standard output"},
                  {"--markdown", &options->markdown, "Write the tables as Markdown there; '-' is standard output"},
                  {"--json", &options->json, "Write the comparison there; '-' is standard output"}}}),
            .run = [options] { return compare(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
