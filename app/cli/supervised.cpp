#include "app/cli/supervised.h"

#include "app/cli/files.h"
#include "core/base/output_file.h"
#include "core/formats/files/data_file.h"
#include "core/formats/files/json_text.h"
#include "core/report/message_json.h"
#include "core/sandbox/sandbox.h"
#include "kernels/run/record.h"
#include "kernels/run/supervisor.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace plimsoll::cli {
namespace {

constexpr std::chrono::milliseconds Patience {100};
constexpr double SecondsBetweenLines = 0.05;

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// "12 105 conv1" → "step 12 of 105, node 'conv1'"
std::string placeText(const std::string& line)
{
    std::istringstream words(line);
    std::string step;
    std::string total;
    std::string name;
    words >> step >> total;
    std::getline(words >> std::ws, name);
    return "step " + step + " of " + total + ", node '" + name + "'";
}

/// Where a run is, to say where it ended.
class RunPlace
{
public:
    /// What follows "progress "; empty for lines that tell of no progress.
    std::string follow(const std::string& line)
    {
        if (const auto attempt = attemptIn(line)) m_attempt = *attempt;
        if (line.rfind("places ", 0) == 0) m_places = line.substr(7);
        if (line.rfind("force ", 0) == 0) m_run = " of forced run " + line.substr(6);
        if (line == "launch") m_text = "while the plan was launched as a whole";
        if (line.rfind("progress ", 0) != 0) return {};
        m_text = "at " + placeText(line.substr(9)) + m_run + (m_places.empty() ? "" : ", which " + m_places);
        return line.substr(9);
    }
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] const Message& attempt() const { return m_attempt; } ///< That ended it; empty: none did.

private:
    std::string m_places;
    std::string m_run; ///< " of forced run 3"
    std::string m_text = "before the first step";
    Message m_attempt;
};

} // namespace

std::vector<std::string> workerArguments()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<std::string> arguments = {"worker"};
    std::size_t at = text.find('\0');
    while (at != std::string::npos && at + 1 < text.size()) {
        const std::size_t end = text.find('\0', at + 1);
        arguments.push_back(text.substr(at + 1, end - at - 1));
        at = end;
    }
    return arguments;
}

ProgressLine::ProgressLine(bool asked, std::string what)
    : m_asked(asked), m_terminal(isatty(STDERR_FILENO) == 1), m_what(std::move(what))
{
}

ProgressLine::~ProgressLine()
{
    if (m_shown && m_terminal) std::cerr << "\r\033[K" << std::flush;
}

void ProgressLine::show(std::string_view stage, double fraction)
{
    constexpr int All = 1000;
    show(std::to_string(static_cast<int>(fraction * All)) + " " + std::to_string(All) + " " + std::string(stage));
}

void ProgressLine::show(const std::string& line)
{
    if (!m_asked && !m_terminal) return;
    if (now() - m_last < SecondsBetweenLines) return;
    m_last = now();
    m_shown = true;
    const std::string seen = visibleLine(line); // a worker may have been taken over
    if (m_asked) {
        std::cerr << "progress " + seen + "\n" << std::flush;
    } else {
        std::cerr << "\r\033[K" + m_what + " " + placeText(seen) << std::flush;
    }
}

Result<ExitStatus> toListener(bool listens, Result<ExitStatus> result)
{
    if (!listens || result.ok()) return result;
    std::cerr << "error " + jsonText(errorJson(result.error()), -1) << std::flush;
    return statusOf(result.error().code);
}

void shutInWorker(const Graph& graph, bool devices)
{
    shutIn(devices ? sandboxForDevices() : sandboxForKernels(dataFilesOf(graph)), kernels::WorkerChannel);
}

Status handOver(const std::string& path, std::string_view text)
{
    if (path == "-") return writeText(path, text);
    const Status written = writeFile("/dev/fd/" + std::to_string(kernels::WorkerOutput), text);
    if (written.ok()) return written;
    Error error = written.error();
    error.file = path;
    return error;
}

Result<ExitStatus> superviseRun(const RunOptions& options)
{
    if (!options.keepBytes.empty() && options.record.empty())
        return Error {ErrorCode::BadUsage, say("run.keep-without-record"), {}, {}};
    if (options.keepFrom > 0 && options.keepBytes.empty())
        return Error {ErrorCode::BadUsage, say("run.keep-from-alone"), {}, {}};
    std::vector<std::filesystem::path> read = filesRead(options);
    if (!options.inputs.empty()) std::ranges::copy(testDataIn({options.inputs}), std::back_inserter(read));
    PLIMSOLL_TRY(checkOutputs(outputsOf(options), read));
    if (!options.record.empty()) PLIMSOLL_TRY(kernels::Record::clear(options.record)); // that of an earlier run
    const kernels::InterruptGuard interrupts;
    std::optional<OutputFile> report;
    if (!options.json.empty() && options.json != "-") PLIMSOLL_SET(report, OutputFile::open(options.json));
    PLIMSOLL_ASSIGN(worker, kernels::WorkerProcess::start(workerArguments(), report ? report->descriptor() : -1));
    RunPlace place;
    const double end = now() + static_cast<double>(options.maxSeconds);
    bool late = false;
    {
        ProgressLine shown(options.progress, "running");
        while (!worker.ended()) {
            const auto line = worker.nextLine(Patience);
            late = now() >= end;
            if (late || kernels::InterruptGuard::requested()) worker.stop();
            const std::string progress = line ? place.follow(*line) : std::string();
            if (!progress.empty()) shown.show(progress);
        }
    }
    const std::string file = options.graph == "-" ? "standard input" : options.graph;
    const std::string where =
        options.record.empty() ? place.text() : place.text() + "; the record is in " + options.record;
    if (kernels::InterruptGuard::requested()) return Error {ErrorCode::Stopped, say("run.broken-off", where), {}, file};
    if (late && worker.signal() != 0) {
        return Error {ErrorCode::Stopped,
                      say("run.out-of-time", options.maxSeconds, Remedy::option("max-seconds"), where),
                      {},
                      file};
    }
    if (worker.signal() == SIGSYS && !place.attempt().empty())
        return Error {ErrorCode::Unsupported, say("run.refused", place.attempt(), where), {}, file};
    if (worker.signal() != 0) {
        return Error {ErrorCode::Unsupported, say("run.ended", kernels::signalText(worker.signal()), where), {}, file};
    }
    const auto status = static_cast<ExitStatus>(worker.exitStatus());
    const bool complete = status == ExitStatus::Fine || status == ExitStatus::Findings;
    if (report && complete) PLIMSOLL_TRY(report->commit());
    return status;
}

} // namespace plimsoll::cli
