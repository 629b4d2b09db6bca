#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "app/cli/options.h"
#include "app/cli/printed.h"
#include "app/cli/text_table.h"
#include "core/base/bytes.h"
#include "core/facts/completeness.h"
#include "core/facts/english/english.h"
#include "core/facts/range_changes.h"
#include "core/facts/words/stream_text.h"
#include "core/formats/files/json_text.h"
#include "core/report/completeness_json.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <set>

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;
using Align = TextTable::Align;

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

std::string stepsOf(const LiveRanges& live)
{
    if (live.empty()) return "none";
    return "[" + std::to_string(live.hull().begin) + ", " + std::to_string(live.hull().end) + ")";
}

std::string signedBytes(std::int64_t change)
{
    return (change > 0 ? "+" : "") + formatCount(change);
}

/// "A: squeezenet (light_squeezenet.onnx), fold=shapes": the policies in which the two differ.
std::string headerText(const char* letter, const std::string& file, const Report& shown, const Report& other)
{
    std::string text = std::string(letter) + ": " + shown.program.graph->name + " (" + file + ")";
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

std::string numbersText(const Report& before, const Report& after)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right});
    table.add({"bytes", "A", "B", "B − A"});
    const auto row = [&](const char* name, std::int64_t a, std::int64_t b) {
        table.add({name, formatCount(a), formatCount(b), signedBytes(b - a)});
    };
    row("peak", before.memory.peakBytes, after.memory.peakBytes);
    row("lower bound", before.memory.lowerBoundBytes, after.memory.lowerBoundBytes);
    row("no reuse", before.memory.noReuseBytes, after.memory.noReuseBytes);
    row("boundary", before.training.boundaryBytes, after.training.boundaryBytes);
    row("external", before.memory.externalBytes, after.memory.externalBytes);
    row("of it prepared ahead", before.memory.preparedBytes, after.memory.preparedBytes);
    return table.text(2);
}

std::string changeOf(const std::string& before, const std::string& after)
{
    return before == after ? after : (before.empty() ? "none" : before) + " → " + (after.empty() ? "none" : after);
}

std::string changesText(const std::vector<RangeChange>& changes)
{
    if (changes.empty()) return "No value is alive longer or shorter, or lies in another memory.\n";
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left, Align::Left, Align::Left});
    table.add({"value", "bytes", "at the peak", "steps in A → B", "place in A → B", "reason"});
    for (const RangeChange& change : changes)
        table.add({change.value, formatCount(change.bytes), signedBytes(change.afterPeak - change.beforePeak),
                   stepsOf(change.before) + " → " + stepsOf(change.after),
                   changeOf(change.beforePlace, change.afterPlace), english(change.reason)});
    return "Alive longer or shorter, or in another memory\n" + table.text(2);
}

using Waits = std::set<std::pair<std::string, std::string>>; ///< A node, and what it waits for.

Waits waitsOf(const Report& report)
{
    Waits waits;
    for (const StreamEvent& event : report.program.streams.events)
        waits.emplace((*report.program.graph)[event.waiter].name, (*report.program.graph)[event.signal].name);
    return waits;
}

std::string sideText(const char* side, const Report& report)
{
    if (!report.program.streams.several()) return std::string("  ") + side + ": 1 stream\n";
    const WaitingStorages waiting = waitingStorages(report);
    return std::string("  ") + side + ": " + english(streamsSentence(report)) + "; " + formatCount(waiting.count) +
           " storages of " + formatCount(waiting.bytes) + " B stay reserved until another stream has waited\n";
}

std::string waitsOnlyIn(const char* side, const Waits& waits, const Waits& other)
{
    constexpr std::size_t Most = 10;
    std::string text;
    std::size_t left = 0;
    for (const auto& [before, after] : waits) {
        if (other.contains({before, after})) continue;
        if (++left <= Most) text += std::string("  only ") + side + ": '" + before + "' waits for '" + after + "'\n";
    }
    return left > Most ? text + "  and " + std::to_string(left - Most) + " more\n" : text;
}

/// Nothing where both plans are of one stream.
std::string streamChanges(const Report& before, const Report& after)
{
    if (!before.program.streams.several() && !after.program.streams.several()) return {};
    const Waits first = waitsOf(before);
    const Waits second = waitsOf(after);
    return "\nStreams\n" + sideText("A", before) + sideText("B", after) + waitsOnlyIn("A", first, second) +
           waitsOnlyIn("B", second, first);
}

Json streamsJson(const Report& report)
{
    const WaitingStorages waiting = waitingStorages(report);
    Json events = Json::array();
    for (const auto& [before, after] : waitsOf(report))
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

std::string compareJson(const Report& before, const Report& after, const std::vector<RangeChange>& changes)
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
    for (const RangeChange& change : changes)
        list.push_back({{"value", change.value},
                        {"bytes", change.bytes},
                        {"before", rangesJson(change.before)},
                        {"after", rangesJson(change.after)},
                        {"peakBefore", change.beforePeak},
                        {"peakAfter", change.afterPeak},
                        {"placeBefore", change.beforePlace},
                        {"placeAfter", change.afterPlace},
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
    const std::vector<RangeChange> changes = changedRanges(before, after);
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, compareJson(before, after, changes)));
    const std::string header = incompleteFirst("A", before) + incompleteFirst("B", after) +
                               headerText("A", options.graph, before, after) +
                               headerText("B", other.graph, after, before) + "\n";
    if (options.json != "-")
        PLIMSOLL_TRY(
            printText(header + numbersText(before, after) + streamChanges(before, after) + "\n" + changesText(changes),
                      {before.program.graph.get(), after.program.graph.get()}));
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
