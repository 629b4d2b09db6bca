#include "kernels/run/replay.h"

#include "core/ops/op_traits.h"
#include "kernels/run/device/open_devices.h"
#include "kernels/run/test_data.h"

#include <algorithm>
#include <exception>

namespace plimsoll::kernels {
namespace {

namespace fs = std::filesystem;

ReplayResult failed(Message reason)
{
    return {Verdict::Failed, std::move(reason)};
}

/// What stands in the folder and passes, by name.
template <typename Passes>
std::vector<fs::path> entriesOf(const fs::path& folder, const Passes& passes)
{
    std::error_code ignored;
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (passes(entry)) paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
}

bool isFolder(const fs::directory_entry& entry)
{
    std::error_code ignored;
    return entry.is_directory(ignored);
}

void collect(const fs::path& folder, const std::string& name, int depth, std::vector<ReplayCase>& cases)
{
    const std::vector<fs::path> models = entriesOf(folder, [](const fs::directory_entry& entry) {
        std::error_code ignored;
        return entry.path().stem() == "model" && entry.is_regular_file(ignored);
    });
    if (!models.empty()) {
        cases.push_back({name, folder, models.front()});
        return;
    }
    if (depth == 0) return;
    for (const fs::path& path : entriesOf(folder, isFolder))
        collect(path, name + "/" + path.filename().string(), depth - 1, cases);
}

ReplayResult compareOutputs(const Graph& graph, const RunOutcome& outcome,
                            const std::vector<std::optional<RuntimeValue>>& wanted, Tolerance tolerance)
{
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!wanted[i]) continue;
        const auto difference = compareWithin(outcome.outputs[i], *wanted[i], withRounding(tolerance, *wanted[i]));
        if (difference)
            return failed(say("checks.output", word::Name {graph[graph.top().outputs[i]].name}, difference->note));
    }
    return {};
}

/// A comparison with nothing is no pass: every input and output of the graph needs its file. Empty when all is there.
Message missingFile(const Graph& graph, const std::map<ValueId, RuntimeValue>& inputs,
                    const std::vector<std::optional<RuntimeValue>>& outputs)
{
    const auto none = [](const auto& output) { return !output.has_value(); };
    if (std::all_of(outputs.begin(), outputs.end(), none)) return say("replay.no-outputs");
    const auto text = [&](const char* what, std::size_t position, ValueId value) {
        return say("replay.missing", what + std::to_string(position), word::Name {graph[value].name});
    };
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!outputs[i]) return text("output_", i, graph.top().outputs[i]);
    }
    for (std::size_t i = 0; i < graph.top().inputs.size(); ++i) {
        const ValueId input = graph.top().inputs[i];
        if (graph[input].role == ValueRole::Input && inputs.count(input) == 0) return text("input_", i, input);
    }
    return {};
}

ReplayResult ofError(const Error& error)
{
    const Verdict verdict = error.code == ErrorCode::Unsupported ? Verdict::Skipped : Verdict::Failed;
    return {verdict, toMessage(error)};
}

Result<ReplayResult> replaySet(Graph graph, const fs::path& folder, const ReplaySettings& settings,
                               const TimeLimit& time, const Context& context)
{
    PLIMSOLL_ASSIGN(inputs, readInputs(graph, folder));
    PLIMSOLL_ASSIGN(wanted, readOutputs(graph, folder));
    if (const Message missing = missingFile(graph, inputs, wanted); !missing.empty())
        return failed(say("replay.in-set", folder.filename().string(), missing));
    adoptShapes(graph, inputs);
    PLIMSOLL_ASSIGN(plan, settings.plan(graph, shapesOf(graph, inputs), context));
    RunRequest run;
    run.mode = RunMode::Numeric;
    run.time = time;
    run.inputs = std::move(inputs);
    PLIMSOLL_ASSIGN(devices, openDevices(plan.program, settings.emulateDevice));
    run.devices = std::move(devices);
    RunObserver silent;
    PLIMSOLL_ASSIGN(outcome, execute(plan.program, run, silent, context));
    if (!plan.fault.empty()) return failed(say("replay.broken-rule", plan.fault));
    if (!outcome.result.mismatches.empty()) {
        const RunResult::Mismatch& first = outcome.result.mismatches.front();
        return failed(say("replay.differs", word::Name {first.value}, first.note));
    }
    ReplayResult compared = compareOutputs(graph, outcome, wanted, settings.tolerance);
    if (compared.verdict != Verdict::Failed) return compared;
    const Graph& planned = *plan.program.graph;
    for (std::size_t i = 0; i < planned.nodes.size(); ++i) { // what draws numbers has drawn others for the test data
        const NodeId id {i};
        if (planned.nodes[i].bodies.empty() && isKnownOperator(planned, id) && !isPure(planned, id))
            return ReplayResult {Verdict::Skipped, say("replay.random")};
    }
    return compared;
}

} // namespace

Result<std::vector<ReplayCase>> findCases(const fs::path& folder)
{
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        const bool file = fs::exists(folder, ignored);
        return Error {
            ErrorCode::BadInput, say(file ? "replay.file-no-folder" : "replay.no-folder"), {}, folder.string()};
    }
    const fs::path named = folder.has_filename() ? folder : folder.parent_path();
    std::vector<ReplayCase> cases;
    collect(folder, named.filename().string(), 3, cases);
    if (cases.empty()) return Error {ErrorCode::BadInput, say("replay.no-model"), {}, folder.string()};
    return cases;
}

ReplayResult replayCase(const ReplayCase& test, const ReplaySettings& settings, const Context& context)
{
    const TimeLimit time {settings.seconds, "time-limit"};
    try {
        const Result<Graph> graph = settings.load(test.model);
        if (!graph.ok()) return ofError(graph.error());
        const std::vector<fs::path> sets = entriesOf(test.folder, [](const fs::directory_entry& entry) {
            return entry.path().filename().string().starts_with("test_data_set_") && isFolder(entry);
        });
        if (sets.empty()) return {Verdict::Skipped, say("replay.no-data")};
        for (const fs::path& set : sets) {
            const Result<ReplayResult> result = replaySet(graph.value(), set, settings, time, context);
            if (!result.ok()) return ofError(result.error());
            if (result.value().verdict != Verdict::Passed) return result.value();
        }
        return {};
    } catch (const std::exception& exception) {
        return failed(say("replay.exception", exception.what()));
    }
}

} // namespace plimsoll::kernels
