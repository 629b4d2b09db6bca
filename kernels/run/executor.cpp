#include "kernels/run/executor.h"

#include "kernels/run/device/launched_plan.h"
#include "kernels/run/device/stream_orders.h"
#include "kernels/run/memory/host_memory.h"
#include "kernels/run/memory/memory_need.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/probe/between_probe.h"
#include "kernels/run/probe/write_probe.h"
#include "kernels/run/run.h"
#include "kernels/run/step/compare.h"
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
                      say("run.other-type", std::string(dtypeName(value.tensor.dtype)) + describe(value.tensor.shape),
                          describe(info.type)),
                      "input '" + info.name + "'",
                      {}};
    }
    return {};
}

/// The same once more. Steps are told once.
RunStart silently(const RunStart& start, RunObserver& silent)
{
    return {start.program, start.request, start.externals, start.arenas, silent, start.context};
}

/// Once more, with writes through outputs between forward and backward.
Result<WriteProbe::Between> runWithWritesBetween(const RunStart& start, const CallerBytes& caller,
                                                 const std::vector<RuntimeValue>& plain)
{
    RunObserver silent;
    BetweenProbe probe(start.program, start.request.saved);
    Run third(silently(start, silent));
    third.caller = caller;
    third.between = &probe;
    PLIMSOLL_ASSIGN(written, runAll(third));
    return std::move(probe).judge(plain, written.outputs);
}

/// Runs, writes to what it leaves, and runs again over it: in the same arenas, inputs and brought buffers.
Result<RunOutcome> runAndProbe(const RunStart& start)
{
    RunOutcome outcome;
    WriteProbe probe;
    CallerBytes caller;
    {
        Run first(start);
        first.caller.emplace();
        PLIMSOLL_ASSIGN(made, runAll(first));
        outcome = std::move(made);
        PLIMSOLL_ASSIGN(probed, probeHandles(first));
        probe = std::move(probed);
        caller = std::move(*first.caller);
    }
    RunObserver silent;
    Run second(silently(start, silent));
    second.caller = caller;
    PLIMSOLL_ASSIGN(again, runAll(second));
    compareRuns(start.program, outcome.outputs, again.outputs, probe);
    std::vector<RunResult::Mismatch> found = contradictions(start.program, probe);
    if (outcome.result.mismatches.empty()) { // A plan that is wrong in the first run is wrong in the second.
        for (RunResult::Mismatch& mismatch : again.result.mismatches) {
            mismatch.note = say("clauses", std::move(mismatch.note), say("run.in-second"));
            found.push_back(std::move(mismatch));
        }
    }
    if (start.program.graph->boundary.gradients > 0) {
        PLIMSOLL_ASSIGN(between, runWithWritesBetween(start, caller, outcome.outputs));
        std::ranges::move(contradictions(start.program, between), std::back_inserter(found));
        probe.between = std::move(between);
    }
    outcome.result.probe = std::move(probe);
    for (RunResult::Mismatch& mismatch : found) {
        start.observer.mismatch(mismatch);
        outcome.result.mismatches.push_back(std::move(mismatch));
    }
    return outcome;
}

/// Twice in the same arenas, with other inputs the second time: which outputs of the first does the second change.
Result<std::vector<WriteProbe::Stale>> runReplays(const RunStart& start)
{
    const Graph& graph = *start.program.graph;
    RunObserver silent;
    Run first(silently(start, silent));
    PLIMSOLL_ASSIGN(before, runAll(first));
    RunRequest request = start.request;
    request.inputs.clear();
    request.seed = start.request.seed + 1;
    std::map<ValueId, RuntimeValue> kept; // parameters and constants stay as they are
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const RuntimeValue* content = start.externals.find(ValueId(i));
        if (content && graph.values[i].role != ValueRole::Input) kept.emplace(ValueId(i), *content);
    }
    ExternalValues others(graph, std::move(kept), request.seed, start.externals.spaces());
    Run second({start.program, request, others, start.arenas, silent, start.context});
    PLIMSOLL_TRY(runAll(second));
    std::vector<WriteProbe::Stale> changed;
    for (std::size_t i = 0; i < before.outputs.size(); ++i) {
        const ValueId output = graph.top().outputs[i];
        PLIMSOLL_ASSIGN(there, first.planned.onHost(output));
        const RuntimeValue now = asShown(there, graph[output].type).dense;
        if (const auto difference = compareExactly(now, before.outputs[i]))
            changed.push_back({{true, i, graph[output].name}, difference->note});
    }
    return changed;
}

/// In the captured order, then in others that the streams allow, each in fresh arenas.
Result<RunOutcome> runStreams(const RunStart& start)
{
    Run first(start);
    first.compared.oracle = Comparison::Oracle::Kept;
    PLIMSOLL_ASSIGN(outcome, runAll(first));
    outcome.result.orders.emplace_back("captured");
    std::set<std::string> known;
    for (const RunResult::Mismatch& mismatch : outcome.result.mismatches)
        known.insert(mismatch.value);
    RunObserver silent;
    for (const RunOrder& order : otherOrders(start.program, start.request.findings)) {
        RunStart fresh = silently(start, silent);
        PLIMSOLL_ASSIGN(arenas, ArenaMemory::create(start.program.map.arenas, start.externals.spaces()));
        fresh.arenas = std::move(arenas);
        Run other(fresh);
        PLIMSOLL_ASSIGN(ran, runInOrder(other, order.nodes, first.oracle));
        outcome.result.orders.push_back(order.name);
        for (RunResult::Mismatch& mismatch : ran.result.mismatches) {
            if (!known.insert(mismatch.value).second) continue;
            mismatch.note = say("clauses", std::move(mismatch.note), say("run.in-order", order.name));
            start.observer.mismatch(mismatch);
            outcome.result.mismatches.push_back(std::move(mismatch));
        }
    }
    return outcome;
}

Result<RunOutcome> runOnce(const RunStart& start)
{
    if (start.request.writeProbe) return runAndProbe(start);
    if (start.program.streams.several()) return runStreams(start);
    Run run(start);
    return runAll(run);
}

} // namespace

Result<RunOutcome> execute(const PlannedProgram& program, const RunRequest& request, RunObserver& observer,
                           const Context& context)
{
    PLIMSOLL_TRY(checkPlacements(program));
    PLIMSOLL_TRY(checkInputs(*program.graph, request));
    PLIMSOLL_ASSIGN(spaces, DeviceSpaces::create(program, request.devices));
    PLIMSOLL_TRY(checkMemory(memoryNeed(program, spaces), freeMemory()));
    PLIMSOLL_ASSIGN(arenas, ArenaMemory::create(program.map.arenas, spaces));
    PLIMSOLL_ASSIGN(given, asHeld(*program.graph, request.inputs));
    ExternalValues externals(*program.graph, std::move(given), request.seed, std::move(spaces));
    const RunStart start {program, request, externals, std::move(arenas), observer, context};
    PLIMSOLL_ASSIGN(outcome, runOnce(start));
    PLIMSOLL_TRY(runLaunched(start, outcome));
    if (program.policies.replay != ReplayPolicy::Graph) return outcome;
    auto replayed = runReplays(start);
    if (replayed.ok())
        outcome.result.replayed = std::move(replayed).value();
    else if (replayed.error().code == ErrorCode::Stopped)
        return replayed.error();
    else
        outcome.result.notes.push_back(say("run.not-replayed", toMessage(replayed.error())));
    return outcome;
}

} // namespace plimsoll::kernels
