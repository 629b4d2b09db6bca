#include "app/cli/commands/run_command.h"

#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/summary.h"
#include "app/cli/fact_text.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/search_options.h"
#include "app/cli/supervised.h"
#include "core/advice/run_findings.h"
#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/english/english.h"
#include "core/facts/tables.h"
#include "core/facts/words/run_sentences.h"
#include "core/facts/words/terms_text.h"
#include "core/facts/words/verdict.h"
#include "core/facts/words/witness.h"
#include "core/ops/op_traits.h"
#include "core/record/run_record.h"
#include "core/report/escape.h"
#include "core/report/report_json.h"
#include "core/report/reproducible.h"
#include "core/sandbox/sandbox.h"
#include "kernels/run/device/open_devices.h"
#include "kernels/run/executor.h"
#include "kernels/run/memory/run_memory.h"
#include "kernels/run/promise.h"
#include "kernels/run/record.h"
#include "kernels/run/supervisor.h"
#include "kernels/run/test_data.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

namespace plimsoll::cli {
namespace {

/// Tells the supervisor about every step, and the record before that.
class Announcer : public kernels::RunObserver
{
public:
    Announcer(const Report& report, const kernels::WorkerReport& channel, kernels::RunObserver* record)
        : m_report(report), m_channel(channel), m_record(record)
    {
    }
    void begin(const kernels::StepEvent& event) override
    {
        if (m_record && !event.forced) m_record->begin(event);
        const Node& node = (*m_report.program.graph)[event.node];
        m_channel.say("places " + visibleLine(kernels::placesText(m_report.program, node)));
        m_channel.say("progress " + std::to_string(event.step) + " " + std::to_string(event.total) + " " +
                      visibleLine(node.name));
    }
    void end(const kernels::StepEvent& event, double ms, const std::string& digest) override
    {
        if (m_record) m_record->end(event, ms, digest);
    }
    void mismatch(const RunResult::Mismatch& mismatch) override
    {
        if (m_record) m_record->mismatch(mismatch);
    }
    void content(ValueId value, bool given, const kernels::TensorView& elements) override
    {
        m_record->content(value, given, elements);
    }
    [[nodiscard]] bool wantsContents() const override { return m_record && m_record->wantsContents(); }
    void order(const std::string& name) override
    {
        if (m_record) m_record->order(name);
    }
    void force(std::int64_t run) override { m_channel.say("force " + std::to_string(run)); }
    void launch() override { m_channel.say("launch"); }
    [[nodiscard]] bool wantsDigests() const override { return m_record && m_record->wantsDigests(); }

private:
    const Report& m_report;
    const kernels::WorkerReport& m_channel;
    kernels::RunObserver* m_record;
};

Result<kernels::RunMode> modeOf(const std::string& text)
{
    if (text == "auto") return kernels::RunMode::Auto;
    if (text == "numeric") return kernels::RunMode::Numeric;
    if (text == "fingerprint") return kernels::RunMode::Fingerprint;
    return Error {ErrorCode::BadUsage, say("run.no-mode", word::Name {text}), {}, {}};
}

Result<kernels::RunRequest::Cover> coverOf(const std::string& text)
{
    using Cover = kernels::RunRequest::Cover;
    if (text == "cheap") return Cover::WhenCheap;
    if (text == "always") return Cover::Always;
    if (text == "never") return Cover::Never;
    return Error {ErrorCode::BadUsage, say("run.no-cover", word::Name {text}), {}, {}};
}

/// The shapes of given inputs bind the symbols that the command line leaves open.
Status readGivenInputs(const RunOptions& options, PlanRequest& request, kernels::RunRequest& run)
{
    if (options.inputs.empty()) return {};
    if (options.graph == "-") return Error {ErrorCode::BadUsage, say("run.inputs-of-file"), {}, {}};
    PLIMSOLL_ASSIGN(graph, loadGraph(options.graph));
    PLIMSOLL_ASSIGN(inputs, kernels::readInputs(graph, options.inputs));
    for (const auto& [name, shape] : kernels::shapesOf(graph, inputs))
        request.shapes.shapes.emplace(name, shape);
    run.inputs = std::move(inputs);
    return {};
}

/// The first few.
std::string listed(const std::vector<std::string>& names)
{
    constexpr std::size_t Most = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(Most, names.size()); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > Most ? text + ", …" : text;
}

/// "  cuda:0: 4 KiB of 4 KiB planned", a line for each memory where there are several. Its arenas are as high as they
/// are filled: a plan that was handed in may reserve more.
std::string bySpaceText(const Report& report)
{
    const std::map<std::string, std::int64_t>& measured = report.run->measuredBySpace;
    if (measured.size() < 2) return {};
    const std::vector<PlannedArena>& arenas = report.program.map.arenas;
    std::vector<std::int64_t> heights(arenas.size(), 0);
    for (const Storage& storage : report.program.storages) {
        if (!storage.arena.valid()) continue;
        std::int64_t& height = heights[storage.arena.index()];
        height = std::max(height, storage.offset + storage.bytes);
    }
    std::map<std::string, std::int64_t> planned;
    for (std::size_t arena = 0; arena < heights.size(); ++arena)
        planned[arenas[arena].space] += alignUp(heights[arena], arenas[arena].alignment);
    std::string text;
    for (const auto& [space, bytes] : measured)
        text += "  " + space + ": " + formatBytes(bytes) + " of " + formatBytes(planned[space]) + " planned\n";
    return text;
}

std::string runText(const Report& report)
{
    const RunResult& run = *report.run;
    const double ms = std::accumulate(run.stepMs.begin(), run.stepMs.end(), 0.0);
    std::string text = run.mode + " run, " + run.backend;
    if (run.fingerprintedNodes > 0) text += ", " + plural(run.fingerprintedNodes, "node") + " fingerprinted";
    text += "\n" + english(comparedSentence(run));
    for (const std::string& sentence : english(run.witness.runIsBlind))
        text += "\n" + sentence;
    if (const std::string forced = english(forcedSentence(run)); !forced.empty()) text += "\n" + forced;
    if (!run.orders.empty())
        text += "\nrun in " + countText(run.orders.size()) + " orders of its streams: " + listed(run.orders);
    if (run.referenceValues > 0)
        text += "\n" + plural(run.referenceValues, "value") + " compared with the reference kernels";
    text += "\nmeasured peak " + formatBytes(run.measuredPeakBytes) + " of " + formatBytes(report.memory.peakBytes) +
            " planned, lower bound " + formatBytes(report.memory.lowerBoundBytes) + "; " +
            formatBytes(run.unplannedPeakBytes) + " unplanned\n";
    text += bySpaceText(report);
    if (const Message watched = watchedSentence(run); !watched.empty()) text += english(watched) + "\n";
    char time[48];
    std::snprintf(time, sizeof time, "%.1f ms in kernels\n", ms);
    if (!run.stepMs.empty()) text += time;
    for (const std::string& sentence : english(deviceSentences(run)))
        text += "Device: " + sentence + "\n";
    text += notesText(report);
    for (const std::string& note : english(run.notes))
        text += "note: " + note + "\n";
    for (const std::string& sentence : english(replaySentences(run)))
        text += "Replay: " + sentence + "\n";
    return text + tableText(mismatchesTable(), report, AllRows) + tableText(writesTable(), report, AllRows);
}

std::string fileName(const RunOptions& options)
{
    return options.graph == "-" ? "standard input" : options.graph;
}

/// A table of buffers, a memory snapshot too, says when bytes are taken and freed, and nothing of what is computed.
Status refuseTable(const Report& report, const RunOptions& options)
{
    const Graph& graph = *report.program.graph;
    bool table = !graph.nodes.empty();
    for (std::size_t i = 0; table && i < graph.nodes.size(); ++i)
        table = !computes(graph, NodeId(i));
    if (!table) return {};
    return Error {ErrorCode::Unsupported, say("run.table"), {}, fileName(options)};
}

/// A plan that leaves its arenas is judged but not executed.
Result<ExitStatus> refuse(const Report& report, const Error& reason, const RunOptions& options, kernels::Record* record)
{
    if (record) record->finish(reason);
    if (!options.json.empty()) PLIMSOLL_TRY(handOver(options.json, writeReportJson(report)));
    const std::string text = incompleteFirst(report) + findingsText(report, 10) + english(legalityText(report)) +
                             "\nThe plan was not executed: " + describe(reason) + "\n";
    if (options.json != "-")
        PLIMSOLL_TRY(printText(text, {report.program.graph.get()}));
    else
        std::cerr << printable(text, {report.program.graph.get()});
    return ExitStatus::Findings;
}

std::optional<kernels::Record::Keep> keptBy(const RunOptions& options)
{
    if (options.keepBytes.empty()) return std::nullopt;
    return kernels::Record::Keep {parseBytes(options.keepBytes).value(), options.keepFrom};
}

/// Plans and executes in this very process: what the worker does.
Result<ExitStatus> runHere(const RunOptions& given)
{
    const kernels::WorkerReport channel;
    RunOptions options = given;
    options.outputs = outputsOf(options);
    PLIMSOLL_ASSIGN(ready, readyRun(options));
    auto& [report, run] = ready;
    std::unique_ptr<kernels::Record> record;
    if (!options.record.empty())
        PLIMSOLL_SET(record, kernels::Record::create(options.record, report.program, english, keptBy(options)));
    if (const Status safe = kernels::checkPlacements(report.program); !safe.ok())
        return refuse(report, safe.error(), options, record.get());
    PLIMSOLL_ASSIGN(devices, openDevices(options, report));
    run.devices = std::move(devices);
    run.saved = report.training.saved;
    run.findings = report.verdict.findings;
    Announcer announcer(report, channel, record.get());
    const Message promise = kernels::promiseOf(report.program, run);
    if (options.json != "-") PLIMSOLL_TRY(printText(english(promise) + "\n", {report.program.graph.get()}));
    const std::vector<Message> gaps = sandboxGaps();
    shutInWorker(*report.program.graph, !run.devices.empty() && !options.emulateDevice);
    const Result<kernels::RunOutcome> outcome = kernels::execute(report.program, run, announcer, {});
    if (record) record->finish(outcome);
    if (!outcome.ok()) return ofFile(outcome.error(), options);
    report.run = outcome.value().result;
    report.run->promise = promise;
    if (options.reproducible)
        leaveOutTimes(report);
    else
        std::ranges::copy(gaps, std::back_inserter(report.run->notes)); // they are of this machine
    std::string text = incompleteFirst(report);
    for (const std::string& sentence : english(scopeSentences(*report.run)))
        text += sentence + "\n";
    report.run->witness = witnessOf(report);
    text += english(legalityText(report)) + "\n" + english(termsSentence(report)) + "\n" + runText(report);
    addRunFindings(report);
    if (!options.json.empty()) PLIMSOLL_TRY(handOver(options.json, writeReportJson(report)));
    if (options.json != "-") PLIMSOLL_TRY(printText(text, {report.program.graph.get()}));
    if (record) PLIMSOLL_TRY(record->health());
    return statusOf(report);
}

/// \p how: watching a child process, or in this very process.
Command commandThat(Result<ExitStatus> (*how)(const RunOptions& given))
{
    auto options = std::make_shared<RunOptions>();
    const Arguments ofRuns = {
        {"--reference", &options->reference,
         "Compare what backends compute with the reference kernels, and sparse kernels with dense ones"},
        {.names = "--repeat",
         .target = &options->repeat,
         .meaning = "How often a plan for a device is launched as a whole, and replayed as a graph under replay=graph; "
                    "the least time is told",
         .showsDefault = true,
         .range = {{1, 1'000'000}}},
        {"--write-probe", &options->writeProbe,
         "Afterwards write through each output and visible input, tell which others changed, and run again"},
        {"--no-poison", &options->noPoison,
         "Leave dead bytes as they are, and watch no guard zones: what a runtime without them would show"},
        {"--record", &options->record, "Write what happens, step by step, as JSON lines"},
        {.names = "--keep-bytes",
         .target = &options->keepBytes,
         .meaning = "Of a record: what each step wrote, too, up to so many bytes (\"256MiB\"), in RECORD.bytes",
         .fault = sizeFault},
        {.names = "--keep-from",
         .target = &options->keepFrom,
         .meaning = "The step from which bytes are kept; of earlier ones what still matters there",
         .range = {{0, std::numeric_limits<std::int64_t>::max()}}},
        {"--json", &options->json, "Write the report (plimsoll.report/1) with its run there; '-' is standard output"},
        {"--progress", &options->progress,
         "Lines 'progress <step> <total> <node>' on standard error, and 'error <JSON>' where it fails"}};
    return {.name = "run",
            .meaning = "Run a graph under its plan, beside an oracle that shares nothing",
            .arguments = joined({graphArguments(*options), {planArgument(*options)}, runArguments(*options), ofRuns}),
            .run = [options, how] { return toListener(options->progress, how(*options)); },
            .footer = policiesText()};
}

} // namespace

Error ofFile(Error error, const RunOptions& options)
{
    if (error.file.empty()) error.file = fileName(options);
    return error;
}

Result<ReadyRun> readyRun(const RunOptions& options)
{
    const std::int64_t memory = options.maxMemory.empty() ? kernels::freeMemory() : *parseBytes(options.maxMemory);
    const kernels::TimeLimit time {static_cast<double>(options.maxSeconds), "max-seconds"};
    const std::int64_t kept = keptBy(options).value_or(kernels::Record::Keep()).mostBytes;
    kernels::limitWorker({memory, options.maxSeconds, checkedAdd(kept, kept).value_or(kept)}); // of two orders
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    PLIMSOLL_TRY(kernels::checkPreferred(request.policies, options.emulateDevice));
    kernels::RunRequest run;
    run.time = time;
    run.seed = options.seed;
    run.reference = options.reference;
    run.writeProbe = options.writeProbe;
    run.poison = !options.noPoison;
    run.repeat = options.repeat;
    run.maxLoopNodes = options.maxTrips;
    run.maxBytes = memory;
    PLIMSOLL_SET(run.cover, coverOf(options.cover));
    PLIMSOLL_SET(run.mode, modeOf(options.mode));
    PLIMSOLL_TRY(readGivenInputs(options, request, run));
    PLIMSOLL_ASSIGN(report, planFile(options, std::move(request)));
    PLIMSOLL_TRY(refuseTable(report, options));
    if (!options.inputs.empty())
        PLIMSOLL_TRY(kernels::readFurtherInputs(*report.program.graph, options.inputs, run.inputs));
    return ReadyRun {std::move(report), std::move(run)};
}

Result<kernels::RunDevices> openDevices(const RunOptions& options, Report& report)
{
    Result<kernels::RunDevices> devices = kernels::openDevices(report.program, options.emulateDevice);
    if (!devices.ok()) return ofFile(devices.error(), options);
    for (const auto& [space, opened] : devices.value())
        report.planning.environment[space] = Message(opened.device->name());
    return devices;
}

Arguments runArguments(RunOptions& options)
{
    return {
        {"--inputs", &options.inputs, "Folder with input_K.pb, input_K.npy or NAME.npy; what is not there is drawn"},
        {.names = "--seed",
         .target = &options.seed,
         .meaning = "Of drawn inputs",
         .showsDefault = true,
         .fault = seedFault},
        {.names = "--mode",
         .target = &options.mode,
         .meaning = "numeric: every operator needs a kernel; fingerprint: nodes with a kernel run it, the others fill "
                    "their outputs with a hash of what they read; auto: whichever the graph allows",
         .showsDefault = true},
        {.names = "--cover",
         .target = &options.cover,
         .meaning = "Further runs take the branches, and 0, 1, 2 and more trips of loops, that the inputs do not lead "
                    "to: always, never, or cheap: as far as that executes at most 10,000 nodes",
         .showsDefault = true},
        {"--emulate-device", &options.emulateDevice,
         "Run what is planned for a device with the same kernels in memory of the host, and say so"},
        {.names = "--max-trips",
         .target = &options.maxTrips,
         .meaning = "How many nodes loops may execute, all loops of the run together; one that has more is cut",
         .showsDefault = true,
         .range = {{1, std::numeric_limits<std::int64_t>::max()}}},
        {.names = "--max-seconds",
         .target = &options.maxSeconds,
         .meaning = "How long all of it may take; then it is stopped, and exits with 4",
         .showsDefault = true,
         .range = {{1, 10'000'000}}},
        {.names = "--max-memory",
         .target = &options.maxMemory,
         .meaning = "How much of the host's memory it may take (\"8GiB\"); without it, what is free",
         .fault = sizeFault}};
}

std::vector<Output> outputsOf(const RunOptions& options)
{
    std::vector<Output> outputs = {{"--record", options.record}, {"--json", options.json}};
    if (!options.record.empty() && !options.keepBytes.empty())
        outputs.push_back({"--keep-bytes", bytesFileOf(options.record).string()});
    return outputs;
}

Command runCommand()
{
    return commandThat(superviseRun);
}

Command runWorker()
{
    return commandThat(runHere);
}

} // namespace plimsoll::cli
