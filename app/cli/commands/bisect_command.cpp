#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/run_command.h"
#include "app/cli/commands/summary.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/supervised.h"
#include "core/advice/bisect_json.h"
#include "core/advice/run_findings.h"
#include "core/facts/english/english.h"
#include "core/report/escape.h"
#include "kernels/run/memory/run_memory.h"
#include "kernels/run/supervisor.h"

#include <memory>

namespace plimsoll::cli {
namespace {

using Mismatch = RunResult::Mismatch;

std::string textOf(const PlannedProgram& program, const Bisection& found)
{
    std::string text;
    for (const Culprit& culprit : found.culprits)
        text += english(culpritText(program, culprit)) + "\n";
    return text + english(outcomeText(found)) + "\n";
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
    if (Status placed = kernels::checkPlacements(ready.report.program); !placed.ok())
        return ofFile(placed.error(), options);
    PLIMSOLL_SET(ready.run.devices, openDevices(options, ready.report));
    ready.run.findings = ready.report.verdict.findings; // each race in the order that shows it, as run has it
    shutInWorker(*ready.report.program.graph, !ready.run.devices.empty() && !options.emulateDevice);
    const Result<Bisection> bisected = bisectHere(ready.report, ready.run, channel);
    if (!bisected.ok()) return ofFile(bisected.error(), options);
    const Bisection& found = bisected.value();
    const Graph& graph = *ready.report.program.graph;
    if (!options.json.empty()) PLIMSOLL_TRY(handOver(options.json, bisectJsonText(ready.report.program, found)));
    if (options.json != "-")
        PLIMSOLL_TRY(printText(incompleteFirst(ready.report) + textOf(ready.report.program, found), {&graph}));
    return found.culprits.empty() && !found.elsewhere ? ExitStatus::Fine : ExitStatus::Findings;
}

Command commandThat(Result<ExitStatus> (*how)(const RunOptions& given))
{
    auto options = std::make_shared<RunOptions>();
    return {.name = "bisect",
            .meaning =
                "Find the sharings, and the waits missing between streams, that make the run of a plan differ from the "
                "oracle: exit 1 when there is one",
            .arguments =
                joined({graphArguments(*options),
                        {planArgument(*options)},
                        runArguments(*options),
                        {{"--progress", &options->progress,
                          "Lines 'progress <run> <run> <graph>' on standard error, and 'error <JSON>' where it fails"},
                         {"--json", &options->json, "Write plimsoll.bisect/1 there; '-' is standard output"}}}),
            .run = [options, how] { return toListener(options->progress, how(*options)); },
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
