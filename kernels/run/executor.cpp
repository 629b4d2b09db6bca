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
Result<WriteProbe::Between> executeWithWritesBetween(const PlannedProgram& program, const RunRequest& request,
                                                     const Lockstep::Parts& parts, CallerBytes& caller,
                                                     const std::vector<RuntimeValue>& plain)
{
    RunObserver silent;
    BetweenProbe probe(program, request.saved);
    Execution third(program, request, {program, parts.externals, parts.memory, silent, parts.context}, &caller);
    third.writeBetween(probe);
    PLIMSOLL_ASSIGN(written, third.run());
    return std::move(probe).judge(plain, written.outputs);
}

/// Runs, writes to what it leaves, and runs again over it: in the same arenas, inputs and brought buffers.
Result<RunOutcome> executeAndProbe(const PlannedProgram& program, const RunRequest& request,
                                   const Lockstep::Parts& parts)
{
    CallerBytes caller;
    RunOutcome outcome;
    {
        Execution first(program, request, parts, &caller);
        PLIMSOLL_ASSIGN(made, first.run());
        outcome = std::move(made);
        PLIMSOLL_ASSIGN(probe, first.probe(parts.context));
        outcome.result.probe = std::move(probe);
    }
    RunObserver silent; // Steps are told once.
    Execution second(program, request, {program, parts.externals, parts.memory, silent, parts.context}, &caller);
    PLIMSOLL_ASSIGN(again, second.run());
    compareRuns(program, outcome.outputs, again.outputs, *outcome.result.probe);
    std::vector<RunResult::Mismatch> found = contradictions(program, *outcome.result.probe);
    if (outcome.result.mismatches.empty()) { // A plan that is wrong in the first run is wrong in the second.
        for (RunResult::Mismatch& mismatch : again.result.mismatches) {
            mismatch.note = say("clauses", std::move(mismatch.note), say("run.in-second"));
            found.push_back(std::move(mismatch));
        }
    }
    if (program.graph->boundary.gradients > 0) {
        PLIMSOLL_ASSIGN(between, executeWithWritesBetween(program, request, parts, caller, outcome.outputs));
        std::ranges::move(contradictions(program, between), std::back_inserter(found));
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
Result<std::vector<WriteProbe::Stale>> executeReplays(const PlannedProgram& program, const RunRequest& request,
                                                      const Lockstep::Parts& parts)
{
    const Graph& graph = *program.graph;
    RunObserver silent;
    Execution first(program, request, {program, parts.externals, parts.memory, silent, parts.context}, nullptr);
    PLIMSOLL_ASSIGN(before, first.run());
    RunRequest again = request;
    again.inputs.clear();
    again.seed = request.seed + 1;
    ExternalValues others(graph, otherInputs(graph, parts.externals), again.seed, parts.externals.spaces());
    Execution second(program, again, {program, others, parts.memory, silent, parts.context}, nullptr);
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
Result<RunOutcome> executeStreams(const PlannedProgram& program, const RunRequest& request,
                                  const Lockstep::Parts& parts)
{
    Execution first(program, request, parts, nullptr);
    first.keepOracle();
    PLIMSOLL_ASSIGN(outcome, first.run());
    outcome.result.orders.emplace_back("captured");
    std::set<std::string> known;
    for (const RunResult::Mismatch& mismatch : outcome.result.mismatches)
        known.insert(mismatch.value);
    RunObserver silent;
    for (const RunOrder& order : otherOrders(program, request.findings)) {
        PLIMSOLL_ASSIGN(memory, ArenaMemory::create(program.map.arenas, parts.externals.spaces()));
        Execution other(program, request, {program, parts.externals, std::move(memory), silent, parts.context},
                        nullptr);
        PLIMSOLL_ASSIGN(run, other.runInOrder(order, first.oracle()));
        outcome.result.orders.push_back(order.name);
        for (RunResult::Mismatch& mismatch : run.result.mismatches) {
            if (!known.insert(mismatch.value).second) continue;
            mismatch.note = say("clauses", std::move(mismatch.note), say("run.in-order", order.name));
            parts.observer.mismatch(mismatch);
            outcome.result.mismatches.push_back(std::move(mismatch));
        }
    }
    return outcome;
}

Result<RunOutcome> executeOnce(const PlannedProgram& program, const RunRequest& request, const Lockstep::Parts& parts)
{
    if (request.writeProbe) return executeAndProbe(program, request, parts);
    if (program.streams.several()) return executeStreams(program, request, parts);
    return Execution(program, request, parts, nullptr).run();
}

} // namespace

Result<RunOutcome> execute(const PlannedProgram& program, const RunRequest& request, RunObserver& observer,
                           const Context& context)
{
    PLIMSOLL_TRY(checkPlacements(program));
    PLIMSOLL_TRY(checkInputs(*program.graph, request));
    PLIMSOLL_ASSIGN(spaces, DeviceSpaces::create(program, request.devices));
    PLIMSOLL_TRY(checkMemory(memoryNeed(program, spaces), freeMemory()));
    PLIMSOLL_ASSIGN(memory, ArenaMemory::create(program.map.arenas, spaces));
    PLIMSOLL_ASSIGN(given, asHeld(*program.graph, request.inputs));
    ExternalValues externals(*program.graph, std::move(given), request.seed, std::move(spaces));
    const Lockstep::Parts parts {program, externals, std::move(memory), observer, context};
    PLIMSOLL_ASSIGN(outcome, executeOnce(program, request, parts));
    PLIMSOLL_TRY(runLaunched(program, request, parts, outcome));
    if (program.policies.replay != ReplayPolicy::Graph) return outcome;
    auto replayed = executeReplays(program, request, parts);
    if (replayed.ok())
        outcome.result.replayed = std::move(replayed).value();
    else if (replayed.error().code == ErrorCode::Stopped)
        return replayed.error();
    else
        outcome.result.notes.push_back(say("run.not-replayed", toMessage(replayed.error())));
    return outcome;
}

} // namespace plimsoll::kernels
