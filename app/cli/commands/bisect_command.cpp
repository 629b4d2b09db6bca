#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/run_command.h"
#include "app/cli/commands/summary.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/supervised.h"
#include "core/advice/bisect.h"
#include "core/facts/english/english.h"
#include "core/formats/files/json_text.h"
#include "core/report/escape.h"
#include "kernels/run/memory/run_memory.h"
#include "kernels/run/supervisor.h"

#include <memory>

namespace plimsoll::cli {
namespace {

using Mismatch = RunResult::Mismatch;

Message mismatchText(const Mismatch& mismatch)
{
    const word::Name value {mismatch.value};
    if (mismatch.node.empty()) return say("bisect.mismatch", value, word::Number {mismatch.step}, mismatch.note);
    return say("bisect.mismatch-node", value, word::Name {mismatch.node}, word::Number {mismatch.step}, mismatch.note);
}

std::vector<std::string> namesOf(const Graph& graph, const Culprit::Side& side)
{
    if (side.scratchOf.valid()) return {std::string(ScratchPrefix) + graph[side.scratchOf].name};
    std::vector<std::string> names;
    for (const ValueId value : side.values)
        names.push_back(graph[value].name);
    return names;
}

/// "'a'", or of an alias set of several "'a' (2 more at the same bytes)"
Message sideText(const Graph& graph, const Culprit::Side& side)
{
    const std::vector<std::string> names = namesOf(graph, side);
    const Message first = say("name", word::Name {names.front()});
    return names.size() == 1 ? first : say("bisect.several", first, std::ssize(names) - 1);
}

Message culpritText(const PlannedProgram& program, const Culprit& culprit)
{
    const Graph& graph = *program.graph;
    const std::string& space = program.map.arenas[culprit.arena.index()].space;
    const Message later = sideText(graph, culprit.later);
    const Message wrong = mismatchText(culprit.mismatch);
    if (!culprit.earlier) return say("bisect.lone", later, culprit.bytes, space, wrong);
    return say("bisect.pair", sideText(graph, *culprit.earlier), later, culprit.bytes, space, wrong);
}

std::string textOf(const PlannedProgram& program, const Bisection& found)
{
    std::string text;
    for (const Culprit& culprit : found.culprits)
        text += english(culpritText(program, culprit)) + "\n";
    if (found.elsewhere) return text + english(say("bisect.elsewhere", mismatchText(*found.elsewhere))) + "\n";
    if (found.culprits.empty()) return english(say("bisect.equal")) + "\n";
    return text + english(say("bisect.found", std::ssize(found.culprits), found.runs, found.sharings)) + "\n";
}

std::string jsonOf(const Graph& graph, const Bisection& found)
{
    const auto pairOf = [](Interval range) { return nlohmann::ordered_json {range.begin, range.end}; };
    nlohmann::ordered_json culprits = nlohmann::ordered_json::array();
    for (const Culprit& culprit : found.culprits) {
        const std::vector<std::string> later = namesOf(graph, culprit.later);
        std::vector<std::string> values =
            culprit.earlier ? namesOf(graph, *culprit.earlier) : std::vector<std::string>();
        const std::vector<std::string> apart = culprit.laterApart ? later : values;
        values.insert(values.end(), later.begin(), later.end());
        std::vector<std::string> nodes;
        for (const NodeId node : culprit.nodes)
            nodes.push_back(graph[node].name);
        culprits.push_back({{"values", std::move(values)},
                            {"apart", apart},
                            {"nodes", std::move(nodes)},
                            {"steps", pairOf(culprit.steps)},
                            {"arena", culprit.arena.number()},
                            {"bytes", pairOf(culprit.bytes)},
                            {"message", english(mismatchText(culprit.mismatch))}});
    }
    nlohmann::ordered_json json = {{"schema", "plimsoll.bisect/1"},
                                   {"culprits", std::move(culprits)},
                                   {"runs", found.runs},
                                   {"sharings", found.sharings}};
    if (found.elsewhere) json["elsewhere"] = english(mismatchText(*found.elsewhere));
    return jsonText(json, 2);
}

/// Each run is one of the plan with other bytes; the supervisor is told how many there were.
Result<Bisection> bisectHere(const Report& report, const kernels::RunRequest& run, const kernels::WorkerReport& channel)
{
    std::int64_t number = 0;
    const Trial trial = [&](const PlannedProgram& program) -> Result<std::optional<Mismatch>> {
        ++number;
        channel.say("progress " + std::to_string(number) + " " + std::to_string(number) + " " +
                    visibleLine(report.program.graph->name));
        kernels::RunObserver silent;
        PLIMSOLL_ASSIGN(outcome, kernels::execute(program, run, silent, {}));
        const std::vector<Mismatch>& mismatches = outcome.result.mismatches;
        return mismatches.empty() ? std::nullopt : std::optional(mismatches.front());
    };
    return bisect(report.program, trial, {});
}

Result<ExitStatus> runHere(const RunOptions& given)
{
    const kernels::WorkerReport channel;
    RunOptions options = given;
    options.outputs = outputsOf(options);
    PLIMSOLL_ASSIGN(ready, readyRun(options));
    PLIMSOLL_TRY(kernels::checkPlacements(ready.report.program));
    PLIMSOLL_SET(ready.run.devices, openDevices(options, ready.report));
    PLIMSOLL_ASSIGN(found, bisectHere(ready.report, ready.run, channel));
    const Graph& graph = *ready.report.program.graph;
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, jsonOf(graph, found)));
    if (options.json != "-")
        PLIMSOLL_TRY(printText(incompleteFirst(ready.report) + textOf(ready.report.program, found), {&graph}));
    return found.culprits.empty() && !found.elsewhere ? ExitStatus::Fine : ExitStatus::Findings;
}

Command commandThat(Result<ExitStatus> (*how)(const RunOptions& given))
{
    auto options = std::make_shared<RunOptions>();
    options->cover = "never";
    return {.name = "bisect",
            .meaning = "Find the sharings that make the run of a plan differ from the oracle: exit 1 when there is one",
            .arguments =
                joined({graphArguments(*options),
                        {planArgument(*options)},
                        runArguments(*options),
                        {{"--json", &options->json, "Write plimsoll.bisect/1 there; '-' is standard output"}}}),
            .run = [options, how] { return how(*options); },
            .footer = policiesText()};
}

} // namespace

Command bisectCommand()
{
    return commandThat(superviseRun);
}

Command bisectWorker()
{
    return commandThat(runHere);
}

} // namespace plimsoll::cli
