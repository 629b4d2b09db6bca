#include "kernels/run/executor.h"

#include "kernels/run/device/launched_run.h"
#include "kernels/run/execution.h"
#include "kernels/run/memory/host_memory.h"
#include "kernels/run/memory/memory_need.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/probe/between_probe.h"
#include "kernels/run/probe/write_probe.h"
#include "kernels/run/step/element_values.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace plimsoll::kernels {
namespace {

/// Given inputs must be what was planned for.
Status checkInputs(const Graph& graph, const RunRequest& request)
{
    for (const auto& [id, value] : request.inputs) {
        const Value& info = graph[id];
        if (value.kind != RuntimeValue::Kind::Tensor || info.type.kind != TypeKind::Tensor) continue;
        const auto shape = info.type.shape();
        const bool fits = value.tensor.dtype == info.type.dtype && (!shape || *shape == value.tensor.shape);
        if (fits || info.type.dtype == DType::Unknown) continue;
        return Error {ErrorCode::BadInput,
                      "It is " + std::string(dtypeName(value.tensor.dtype)) + describe(value.tensor.shape) +
                          " where the graph takes " + describe(info.type) + ".",
                      "input '" + info.name + "'",
                      {}};
    }
    return {};
}

/// Once more, with writes through outputs between forward and backward.
Result<WriteProbe::Between> executeWithWritesBetween(const Report& report, const RunRequest& request,
                                                     const Lockstep::Parts& parts, CallerBytes& caller,
                                                     const std::vector<RuntimeValue>& plain)
{
    RunObserver silent;
    BetweenProbe probe(report);
    Execution third(report, request, {report, parts.externals, parts.memory, silent, parts.context}, &caller);
    third.writeBetween(probe);
    PLIMSOLL_ASSIGN(written, third.run());
    return std::move(probe).judge(plain, written.outputs);
}

/// Runs, writes to what it leaves, and runs again over it: in the same arenas, inputs and brought buffers.
Result<RunOutcome> executeAndProbe(const Report& report, const RunRequest& request, const Lockstep::Parts& parts)
{
    CallerBytes caller;
    RunOutcome outcome;
    {
        Execution first(report, request, parts, &caller);
        PLIMSOLL_ASSIGN(made, first.run());
        outcome = std::move(made);
        PLIMSOLL_ASSIGN(probe, first.probe(parts.context));
        outcome.result.probe = std::move(probe);
    }
    RunObserver silent; // Steps are told once.
    Execution second(report, request, {report, parts.externals, parts.memory, silent, parts.context}, &caller);
    PLIMSOLL_ASSIGN(again, second.run());
    compareRuns(report, outcome.outputs, again.outputs, *outcome.result.probe);
    std::vector<RunResult::Mismatch> found = contradictions(report, *outcome.result.probe);
    if (outcome.result.mismatches.empty()) { // A plan that is wrong in the first run is wrong in the second.
        for (RunResult::Mismatch& mismatch : again.result.mismatches) {
            mismatch.note += "; in the second run, over what was written after the first";
            found.push_back(std::move(mismatch));
        }
    }
    if (report.program.graph->boundary.gradients > 0) {
        PLIMSOLL_ASSIGN(between, executeWithWritesBetween(report, request, parts, caller, outcome.outputs));
        std::ranges::move(contradictions(report, between), std::back_inserter(found));
        outcome.result.probe->between = std::move(between);
    }
    for (RunResult::Mismatch& mismatch : found) {
        parts.observer.mismatch(mismatch);
        outcome.result.mismatches.push_back(std::move(mismatch));
    }
    return outcome;
}

/// What the seed draws for another replay. Parameters and constants stay as they are.
std::map<ValueId, RuntimeValue> otherInputs(const Graph& graph, const ExternalValues& externals)
{
    std::map<ValueId, RuntimeValue> kept;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const RuntimeValue* content = externals.find(ValueId(i));
        if (content && graph.values[i].role != ValueRole::Input) kept.emplace(ValueId(i), *content);
    }
    return kept;
}

/// Twice in the same arenas, with other inputs the second time: which outputs of the first does the second change.
Result<std::vector<WriteProbe::Stale>> executeReplays(const Report& report, const RunRequest& request,
                                                      const Lockstep::Parts& parts)
{
    const Graph& graph = *report.program.graph;
    RunObserver silent;
    Execution first(report, request, {report, parts.externals, parts.memory, silent, parts.context}, nullptr);
    PLIMSOLL_ASSIGN(before, first.run());
    RunRequest again = request;
    again.inputs.clear();
    again.seed = request.seed + 1;
    ExternalValues others(graph, otherInputs(graph, parts.externals), again.seed, parts.externals.spaces());
    Execution second(report, again, {report, others, parts.memory, silent, parts.context}, nullptr);
    PLIMSOLL_ASSIGN(after, second.run());
    std::vector<WriteProbe::Stale> changed;
    for (std::size_t i = 0; i < before.outputs.size(); ++i) {
        const ValueId output = graph.top().outputs[i];
        PLIMSOLL_ASSIGN(there, first.planned().onHost(output));
        const RuntimeValue now = asShown(there, graph[output].type).dense;
        if (const auto difference = compareExactly(now, before.outputs[i]))
            changed.push_back({{true, i, graph[output].name}, difference->note});
    }
    return changed;
}

/// In the captured order, then in others that the streams allow, each in fresh arenas.
Result<RunOutcome> executeStreams(const Report& report, const RunRequest& request, const Lockstep::Parts& parts)
{
    Execution first(report, request, parts, nullptr);
    first.keepOracle();
    PLIMSOLL_ASSIGN(outcome, first.run());
    outcome.result.orders.emplace_back("captured");
    std::set<std::string> known;
    for (const RunResult::Mismatch& mismatch : outcome.result.mismatches)
        known.insert(mismatch.value);
    RunObserver silent;
    for (const RunOrder& order : otherOrders(report)) {
        PLIMSOLL_ASSIGN(memory, ArenaMemory::create(report.program.map.arenas, parts.externals.spaces()));
        Execution other(report, request, {report, parts.externals, std::move(memory), silent, parts.context}, nullptr);
        PLIMSOLL_ASSIGN(run, other.runInOrder(order, first.oracle()));
        outcome.result.orders.push_back(order.name);
        for (RunResult::Mismatch& mismatch : run.result.mismatches) {
            if (!known.insert(mismatch.value).second) continue;
            mismatch.note += "; in the order: " + order.name;
            parts.observer.mismatch(mismatch);
            outcome.result.mismatches.push_back(std::move(mismatch));
        }
    }
    return outcome;
}

Result<RunOutcome> executeOnce(const Report& report, const RunRequest& request, const Lockstep::Parts& parts)
{
    if (request.writeProbe) return executeAndProbe(report, request, parts);
    if (report.program.streams.several()) return executeStreams(report, request, parts);
    return Execution(report, request, parts, nullptr).run();
}

} // namespace

Result<RunOutcome> execute(const Report& report, const RunRequest& request, RunObserver& observer,
                           const Context& context)
{
    PLIMSOLL_TRY(checkPlacements(report));
    PLIMSOLL_TRY(checkInputs(*report.program.graph, request));
    PLIMSOLL_ASSIGN(spaces, DeviceSpaces::create(report, request.devices));
    PLIMSOLL_TRY(checkMemory(memoryNeed(report, spaces), freeMemory()));
    PLIMSOLL_ASSIGN(memory, ArenaMemory::create(report.program.map.arenas, spaces));
    PLIMSOLL_ASSIGN(given, asHeld(*report.program.graph, request.inputs));
    ExternalValues externals(*report.program.graph, std::move(given), request.seed, std::move(spaces));
    const Lockstep::Parts parts {report, externals, std::move(memory), observer, context};
    PLIMSOLL_ASSIGN(outcome, executeOnce(report, request, parts));
    PLIMSOLL_TRY(runLaunched(report, request, parts, outcome));
    if (report.program.policies.replay != ReplayPolicy::Graph) return outcome;
    auto replayed = executeReplays(report, request, parts);
    if (replayed.ok())
        outcome.result.replayed = std::move(replayed).value();
    else if (replayed.error().code == ErrorCode::Stopped)
        return replayed.error();
    else
        outcome.result.notes.push_back("The plan was not replayed with other inputs: " + describe(replayed.error()));
    return outcome;
}

} // namespace plimsoll::kernels
