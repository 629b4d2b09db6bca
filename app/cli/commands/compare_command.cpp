#include "app/cli/commands/all_commands.h"
#include "app/cli/fact_text.h"
#include "app/cli/files.h"
#include "app/cli/options.h"
#include "app/cli/printed.h"
#include "core/facts/completeness.h"
#include "core/facts/english/english.h"
#include "core/facts/range_changes.h"
#include "core/facts/stream_waits.h"
#include "core/facts/tables.h"
#include "core/facts/words/stream_text.h"
#include "core/formats/files/json_text.h"
#include "core/report/completeness_json.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions : GraphOptions
{
    std::string other; ///< A second graph; empty: the first under other policies.
    std::vector<std::string> first;
    std::vector<std::string> second;
    std::string json;
};

Result<Report> analyseSide(CompareOptions options, const std::vector<std::string>& policies)
{
    options.overrides = policies;
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    return analyseFile(options, request);
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

/// Both sides in numbers, what waits in one of them only, and which values changed.
std::string tablesText(const Plans& plans)
{
    const std::string changes = tableText(changesTable(), plans, AllRows);
    return tableText(comparedTable(), plans, AllRows) + tableText(waitsTable(), plans, AllRows) +
           (changes.empty() ? "\n" + std::string(changesTable().empty) + "\n" : changes);
}

Json streamsJson(const Report& report)
{
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

std::string compareJson(const Report& before, const Report& after)
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
                {"policies", std::move(policies)},
                {"streams", streamsJson(report)}};
    };
    Json list = Json::array();
    for (const RangeChange& change : changedRanges(before, after))
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
    return jsonText(Json {{"schema", "plimsoll.compare/1"}, {"a", side(before)}, {"b", side(after)}, {"values", list}});
}

Result<ExitStatus> compare(CompareOptions options)
{
    options.outputs = {{"--json", options.json}};
    PLIMSOLL_TRY(refuseContradictions("--a", options.first));
    PLIMSOLL_TRY(refuseContradictions("--b", options.second));
    CompareOptions other = options;
    if (!options.other.empty()) other.graph = options.other;
    PLIMSOLL_ASSIGN(before, analyseSide(options, options.first));
    PLIMSOLL_ASSIGN(after, analyseSide(other, options.second));
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, compareJson(before, after)));
    const std::string header = incompleteFirst("A", before) + incompleteFirst("B", after) +
                               headerText("A, before", options.graph, before, after) +
                               headerText("B, now", other.graph, after, before);
    if (options.json != "-")
        PLIMSOLL_TRY(
            printText(header + tablesText({after, &before}), {before.program.graph.get(), after.program.graph.get()}));
    return ExitStatus::Fine;
}

} // namespace

Command compareCommand()
{
    auto options = std::make_shared<CompareOptions>();
    return {.name = "compare",
            .meaning =
                "Compare two graphs, or one under two policies: peaks, and which values are alive longer or shorter",
            .arguments = joined({graphArguments(*options),
                                 {{"B", &options->other, "The second graph; the first one again where it is left out"},
                                  {"--a", &options->first, "Policy of the first as id=value; may be repeated"},
                                  {"--b", &options->second, "Policy of the second as id=value; may be repeated"},
                                  {"--json", &options->json, "Write the comparison there; '-' is standard output"}}}),
            .run = [options] { return compare(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
