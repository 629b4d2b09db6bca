#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "app/cli/options.h"
#include "app/cli/printed.h"
#include "app/cli/search_options.h"
#include "app/cli/supervised.h"
#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/formats/files/json_text.h"
#include "core/pipeline/pipeline.h"
#include "core/sandbox/sandbox.h"
#include "kernels/run/catalogue.h"
#include "kernels/run/device/open_devices.h"
#include "kernels/run/memory/host_memory.h"
#include "kernels/run/replay.h"
#include "kernels/run/supervisor.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <memory>

namespace plimsoll::cli {
namespace {

struct ReplayOptions
{
    std::vector<std::string> folders;
    std::vector<std::string> policies;
    double timeLimit = 60; ///< Seconds for one case.
    std::string maxMemory; ///< "8GiB"; empty: what is free.
    std::string json;
    bool verbose = false;
    bool emulateDevice = false;
    std::size_t from = 0; ///< The worker's: the first case to run.
};

using kernels::ReplayCase;
using kernels::ReplayResult;
using kernels::Verdict;

constexpr std::array VerdictNames = {"passed", "failed", "skipped"};

std::string_view nameOf(Verdict verdict)
{
    return VerdictNames[static_cast<std::size_t>(verdict)];
}

Result<std::vector<ReplayCase>> allCases(const ReplayOptions& options)
{
    std::vector<ReplayCase> cases;
    for (const std::string& folder : options.folders) {
        PLIMSOLL_ASSIGN(found, kernels::findCases(folder));
        cases.insert(cases.end(), found.begin(), found.end());
    }
    return cases;
}

/// Watches workers go through the cases: one that dies or takes too long fails its case, and the next goes on behind
/// it.
class Replay
{
public:
    explicit Replay(std::size_t count, double timeLimit)
        : m_results(count), m_limit(timeLimit), m_shown(false, "replaying")
    {
    }

    Status run(const std::vector<ReplayCase>& cases)
    {
        const kernels::InterruptGuard interrupts;
        while (m_next < cases.size()) {
            PLIMSOLL_TRY(runWorker(cases));
            if (kernels::InterruptGuard::requested()) return Error {ErrorCode::Stopped, say("replay.stopped"), {}, {}};
        }
        return {};
    }

    [[nodiscard]] const std::vector<ReplayResult>& results() const { return m_results; }

private:
    using Clock = std::chrono::steady_clock;

    Status runWorker(const std::vector<ReplayCase>& cases)
    {
        std::vector<std::string> arguments = workerArguments();
        arguments.insert(arguments.end(), {"--from", std::to_string(m_next)});
        PLIMSOLL_ASSIGN(worker, kernels::WorkerProcess::start(arguments));
        m_begin = Clock::now();
        while (!worker.ended() && m_next < cases.size()) {
            const auto line = worker.nextLine(std::chrono::milliseconds(100));
            if (kernels::InterruptGuard::requested()) return {};
            if (line) take(*line, cases);
            if (std::chrono::duration<double>(Clock::now() - m_begin).count() < m_limit) continue;
            worker.kill();
            fail(say("replay.slow", word::Number {static_cast<int>(m_limit)}));
            return {};
        }
        if (m_next >= cases.size()) return {};
        const int status = worker.exitStatus();
        fail(worker.signal() != 0 ? say("replay.ended-by", kernels::signalText(worker.signal()))
                                  : say("replay.ended", word::Number {status}));
        return {};
    }

    void fail(Message reason) { m_results[m_next++] = {Verdict::Failed, std::move(reason)}; }

    /// "result <verdict> <reason>"
    void take(const std::string& line, const std::vector<ReplayCase>& cases)
    {
        if (line.rfind("result ", 0) != 0) return;
        const auto end = line.find(' ', 7);
        const std::string verdict = line.substr(7, end - 7);
        for (std::size_t i = 0; i < VerdictNames.size(); ++i) {
            if (verdict == VerdictNames[i])
                m_results[m_next] = {static_cast<Verdict>(i), Message(line.substr(end + 1))};
        }
        m_shown.show(std::to_string(m_next + 1) + " " + std::to_string(cases.size()) + " " + cases[m_next].name);
        ++m_next;
        m_begin = Clock::now();
    }

    std::vector<ReplayResult> m_results;
    double m_limit;
    ProgressLine m_shown;
    std::size_t m_next = 0;
    Clock::time_point m_begin;
};

std::array<std::int64_t, 3> countVerdicts(const std::vector<ReplayResult>& results)
{
    std::array<std::int64_t, 3> counts = {0, 0, 0};
    for (const ReplayResult& result : results)
        ++counts[static_cast<std::size_t>(result.verdict)];
    return counts;
}

std::string replayText(const std::vector<ReplayCase>& cases, const std::vector<ReplayResult>& results)
{
    const auto counts = countVerdicts(results);
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < cases.size(); ++i)
        all.push_back({{"name", cases[i].name},
                       {"folder", cases[i].folder.string()},
                       {"verdict", nameOf(results[i].verdict)},
                       {"reason", english(results[i].reason)}});
    const nlohmann::ordered_json replay = {{"schema", "plimsoll.replay/1"},
                                           {"passed", counts[0]},
                                           {"failed", counts[1]},
                                           {"skipped", counts[2]},
                                           {"cases", std::move(all)}};
    return jsonText(replay, 2);
}

std::string summary(const std::vector<ReplayCase>& cases, const std::vector<ReplayResult>& results, bool verbose)
{
    std::string text;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (results[i].verdict == Verdict::Passed && !verbose) continue;
        text += std::string(nameOf(results[i].verdict)) + " " + cases[i].name;
        text += (results[i].reason.empty() ? "" : ": " + english(results[i].reason)) + "\n";
    }
    const auto counts = countVerdicts(results);
    return text + std::to_string(counts[0]) + " passed, " + std::to_string(counts[1]) + " failed, " +
           std::to_string(counts[2]) + " skipped\n";
}

Result<Policies> policiesOf(const ReplayOptions& options)
{
    Policies policies;
    PLIMSOLL_TRY(refuseContradictions("-p", options.policies));
    for (const std::string& policy : options.policies)
        PLIMSOLL_TRY(takePolicy(policies, policy));
    return policies;
}

Result<ExitStatus> replay(const ReplayOptions& options)
{
    PLIMSOLL_ASSIGN(policies, policiesOf(options));
    PLIMSOLL_TRY(checkOutputs({{"--json", options.json}}, testDataIn(options.folders)));
    PLIMSOLL_TRY(kernels::checkPreferred(policies, options.emulateDevice));
    PLIMSOLL_ASSIGN(cases, allCases(options));
    std::vector<ReplayResult> results;
    {
        Replay running(cases.size(), options.timeLimit);
        PLIMSOLL_TRY(running.run(cases));
        results = running.results();
    }
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, replayText(cases, results)));
    if (options.json != "-") PLIMSOLL_TRY(printText(summary(cases, results, options.verbose)));
    return countVerdicts(results)[1] > 0 ? ExitStatus::Findings : ExitStatus::Fine;
}

Result<kernels::ReplaySettings::Plan> planFor(const Graph& graph, const std::map<std::string, Shape>& shapes,
                                              const Policies& policies, const Context& context)
{
    PlanRequest request;
    request.policies = policies;
    request.recordDecisions = false;
    request.shapes.shapes = shapes;
    if (policies.backend != BackendPolicy::Reference) {
        PLIMSOLL_ASSIGN(catalogue,
                        kernels::describeBackends(graph, request.shapes, context, kernels::questionFor(policies, {})));
        request.catalogue = std::make_shared<const Catalogue>(std::move(catalogue));
    }
    PLIMSOLL_ASSIGN(report, analyse(graph, request, context));
    const auto fault = std::ranges::find(report.verdict.findings, Severity::Error, &Finding::severity);
    const bool legal = fault == report.verdict.findings.end();
    return kernels::ReplaySettings::Plan {std::move(report.program), legal ? Message() : fault->message};
}

/// Replays the cases from options.from on in this very process, telling the supervisor about each: what the worker
/// does.
Result<ExitStatus> replayHere(const ReplayOptions& options)
{
    const kernels::WorkerReport channel;
    kernels::limitWorker({options.maxMemory.empty() ? kernels::freeMemory() : *parseBytes(options.maxMemory), 0});
    PLIMSOLL_ASSIGN(cases, allCases(options));
    kernels::ReplaySettings settings;
    settings.load = [](const std::filesystem::path& path) { return loadGraph(path.string()); };
    settings.emulateDevice = options.emulateDevice;
    settings.seconds = options.timeLimit;
    PLIMSOLL_ASSIGN(policies, policiesOf(options));
    settings.plan = [policies = std::move(policies)](const Graph& graph, const auto& shapes, const Context& context) {
        return planFor(graph, shapes, policies, context);
    };
    const std::vector<std::filesystem::path> folders(options.folders.begin(), options.folders.end());
    shutIn(options.emulateDevice ? sandboxForKernels(folders) : sandboxForMachine(folders), kernels::WorkerChannel);
    for (std::size_t i = options.from; i < cases.size(); ++i) {
        const ReplayResult result = kernels::replayCase(cases[i], settings, {});
        std::string reason = english(result.reason);
        std::ranges::replace_if(
            reason, [](char c) { return c == '\n' || c == '\r'; }, ' '); // they would end the line
        channel.say("result " + std::string(nameOf(result.verdict)) + " " + reason);
    }
    return ExitStatus::Fine;
}

Command commandThat(Result<ExitStatus> (*how)(const ReplayOptions& options))
{
    auto options = std::make_shared<ReplayOptions>();
    return {.name = "replay",
            .meaning = "Run ONNX backend-test folders and compare their outputs",
            .arguments =
                {{"dirs", &options->folders, "Folders of ONNX's backend-test shape, or folders of such folders", true},
                 {"-p,--policy", &options->policies, "A policy, id=value"},
                 {.names = "--time-limit",
                  .target = &options->timeLimit,
                  .meaning = "Seconds for one case",
                  .showsDefault = true,
                  .fault = notAboveZeroFault},
                 {.names = "--max-memory",
                  .target = &options->maxMemory,
                  .meaning = "How much of the host's memory it may take (\"8GiB\"); without it, what is free",
                  .fault = sizeFault},
                 {"--json", &options->json, "Write what came of each case there; '-' is standard output"},
                 {"--verbose", &options->verbose, "List what passed too"},
                 {"--emulate-device", &options->emulateDevice, "Compute what a device would in memory of the host"},
                 {.names = "--from", .target = &options->from, .meaning = "The first case to run", .hidden = true}},
            .run = [options, how] { return how(*options); }};
}

} // namespace

Command replayCommand()
{
    return commandThat(replay);
}

Command replayWorker()
{
    return commandThat(replayHere);
}

} // namespace plimsoll::cli
