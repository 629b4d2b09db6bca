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

std::optional<fs::path> modelIn(const fs::path& folder)
{
    std::error_code ignored;
    std::vector<fs::path> models;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().stem() == "model" && entry.is_regular_file(ignored)) models.push_back(entry.path());
    }
    if (models.empty()) return std::nullopt;
    return *std::min_element(models.begin(), models.end());
}

std::vector<fs::path> dataSets(const fs::path& folder)
{
    std::error_code ignored;
    std::vector<fs::path> sets;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const bool named = entry.path().filename().string().rfind("test_data_set_", 0) == 0;
        if (named && entry.is_directory(ignored)) sets.push_back(entry.path());
    }
    std::sort(sets.begin(), sets.end());
    return sets;
}

void collect(const fs::path& folder, const std::string& name, int depth, std::vector<ReplayCase>& cases)
{
    if (const auto model = modelIn(folder)) {
        cases.push_back({name, folder, *model});
        return;
    }
    if (depth == 0) return;
    std::error_code ignored;
    std::vector<fs::path> below;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_directory(ignored)) below.push_back(entry.path());
    }
    std::sort(below.begin(), below.end());
    for (const fs::path& path : below)
        collect(path, name + "/" + path.filename().string(), depth - 1, cases);
}

ReplayResult compareOutputs(const Graph& graph, const RunOutcome& outcome,
                            const std::vector<std::optional<RuntimeValue>>& wanted, Tolerance tolerance)
{
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!wanted[i]) continue;
        const auto difference = compareWithin(outcome.outputs[i], *wanted[i], withRounding(tolerance, *wanted[i]));
        if (difference)
            return failed(say("replay.output", word::Name {graph[graph.top().outputs[i]].name}, difference->note));
    }
    return {};
}

/// A comparison with nothing is no pass: every input and output of the graph needs its file. Empty when all is there.
std::string missingFile(const Graph& graph, const std::map<ValueId, RuntimeValue>& inputs,
                        const std::vector<std::optional<RuntimeValue>>& outputs)
{
    const auto none = [](const auto& output) { return !output.has_value(); };
    if (std::all_of(outputs.begin(), outputs.end(), none)) return "there are no expected outputs in it";
    const auto text = [&](const char* what, std::size_t position, ValueId value) {
        return what + std::to_string(position) + " is missing ('" + graph[value].name + "')";
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

/// Whether an operator draws numbers: nobody else draws the same.
bool isRandom(const Graph& graph)
{
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const NodeId id {i};
        if (graph.nodes[i].bodies.empty() && isKnownOperator(graph, id) && !isPure(graph, id)) return true;
    }
    return false;
}

Result<ReplayResult> replaySet(Graph graph, const fs::path& folder, const ReplaySettings& settings,
                               const Context& context)
{
    PLIMSOLL_ASSIGN(inputs, readInputs(graph, folder));
    PLIMSOLL_ASSIGN(wanted, readOutputs(graph, folder));
    if (const std::string missing = missingFile(graph, inputs, wanted); !missing.empty())
        return failed(folder.filename().string() + ": " + missing);
    adoptShapes(graph, inputs);
    PLIMSOLL_ASSIGN(plan, settings.plan(graph, shapesOf(graph, inputs), context));
    RunRequest run;
    run.mode = RunMode::Numeric;
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
    if (compared.verdict == Verdict::Failed && isRandom(*plan.program.graph))
        return ReplayResult {Verdict::Skipped, "its outputs are random"};
    return compared;
}

} // namespace

Result<std::vector<ReplayCase>> findCases(const fs::path& folder)
{
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        return Error {ErrorCode::BadInput, "There is no such folder.", {}, folder.string()};
    const fs::path named = folder.has_filename() ? folder : folder.parent_path();
    std::vector<ReplayCase> cases;
    collect(folder, named.filename().string(), 3, cases);
    if (cases.empty())
        return Error {ErrorCode::BadInput, "There is no model.* in it or below it.", {}, folder.string()};
    return cases;
}

ReplayResult replayCase(const ReplayCase& test, const ReplaySettings& settings, const Context& context)
{
    try {
        const Result<Graph> graph = settings.load(test.model);
        if (!graph.ok()) return ofError(graph.error());
        const std::vector<fs::path> sets = dataSets(test.folder);
        if (sets.empty()) return {Verdict::Skipped, "it has no test data"};
        for (const fs::path& set : sets) {
            const Result<ReplayResult> result = replaySet(graph.value(), set, settings, context);
            if (!result.ok()) return ofError(result.error());
            if (result.value().verdict != Verdict::Passed) return result.value();
        }
        return {};
    } catch (const std::exception& exception) {
        return failed(std::string("an exception: ") + exception.what());
    }
}

} // namespace plimsoll::kernels
