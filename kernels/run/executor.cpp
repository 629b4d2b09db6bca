#include "kernels/run/executor.h"

#include "kernels/run/control/not_run.h"
#include "kernels/run/control/out_of_order.h"
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
#include <utility>

namespace plimsoll::kernels {
namespace {

/// With what the plan reserves in them, and what the request does.
std::vector<PlannedArena> arenasOf(const PlannedProgram& program)
{
    std::vector<PlannedArena> arenas = program.map.arenas;
    for (PlannedArena& arena : arenas) {
        const auto asked = program.policies.reserved.find(arena.space);
        if (asked != program.policies.reserved.end())
            std::ranges::copy(asked->second, std::back_inserter(arena.reserved));
    }
    return arenas;
}

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

/// Silently, in other arenas.
Result<RunStart> inFreshArenas(const RunStart& start, const RunRequest& request, RunObserver& silent)
{
    PLIMSOLL_ASSIGN(arenas, ArenaMemory::create(arenasOf(start.program), start.externals.spaces(), request.poison));
    return RunStart {start.program, request,       start.externals, std::move(arenas),
                     silent,        start.context, start.coverage,  start.writes};
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
    Run second({start.program, request, others, start.arenas, silent, start.context, start.coverage, start.writes});
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

/// Adds what another run has found to be wrong, once for each value.
void addMismatches(const RunStart& start, std::vector<RunResult::Mismatch> found, const Message& where,
                   RunResult& result)
{
    for (RunResult::Mismatch& mismatch : found) {
        const auto known = std::ranges::find(result.mismatches, mismatch.value, &RunResult::Mismatch::value);
        if (known != result.mismatches.end()) continue;
        mismatch.note = say("clauses", std::move(mismatch.note), where);
        start.observer.mismatch(mismatch);
        result.mismatches.push_back(std::move(mismatch));
    }
}

/// Once more, for a record that is kept: the order in which something is wrong is the one to be looked at.
Status tellInOrder(const RunStart& start, const RunOrder& order, const Memory& oracle)
{
    start.observer.order(order.name);
    PLIMSOLL_ASSIGN(fresh, inFreshArenas(start, start.request, start.observer));
    Run again(fresh);
    PLIMSOLL_TRY(runInOrder(again, order.nodes, oracle));
    return {};
}

/// In the captured order, then in others that the streams allow, each in fresh arenas.
Result<RunOutcome> runStreams(const RunStart& start)
{
    Run first(start);
    first.compared.oracle = Comparison::Oracle::Kept;
    PLIMSOLL_ASSIGN(outcome, runAll(first));
    outcome.result.orders.emplace_back("captured");
    RunObserver silent;
    for (const RunOrder& order : otherOrders(start.program, start.request.findings)) {
        PLIMSOLL_ASSIGN(fresh, inFreshArenas(start, start.request, silent));
        Run other(fresh);
        PLIMSOLL_ASSIGN(ran, runInOrder(other, order.nodes, first.oracle));
        outcome.result.orders.push_back(order.name);
        const bool firstWrong = outcome.result.mismatches.empty() && !ran.result.mismatches.empty();
        const bool told = firstWrong && start.observer.wantsDigests();
        if (told) PLIMSOLL_TRY(tellInOrder(start, order, first.oracle));
        addMismatches(told ? silently(start, silent) : start, std::move(ran.result.mismatches),
                      say("run.in-order", order.name), outcome.result);
    }
    return outcome;
}

/// In an order that reads values before they are made: what lies there is read. The oracle has run in the captured
/// order.
Result<RunOutcome> runOutOfOrder(Run& run, const std::set<ValueId>& early)
{
    const RunStart& start = run.start;
    PlannedProgram captured = start.program;
    captured.schedule = scheduleInCapturedOrder(*captured.graph);
    const std::vector<NodeWrites> writes = nodeWrites(captured);
    Coverage coverage = start.coverage; // both take the same ways
    RunObserver silent;
    PLIMSOLL_ASSIGN(arenas, ArenaMemory::create(arenasOf(captured), start.externals.spaces(), start.request.poison));
    Run first({captured, start.request, start.externals, std::move(arenas), silent, start.context, coverage, writes});
    first.compared.oracle = Comparison::Oracle::Kept;
    first.compared.early.values = early;
    PLIMSOLL_TRY(runAll(first));
    std::vector<NodeId> order;
    std::ranges::copy_if(start.program.schedule.order[TopBody.index()], std::back_inserter(order),
                         [&](NodeId node) { return !start.program.schedule.nodes[node.index()].empty(); });
    run.compared.early = std::move(first.compared.early);
    return runInOrder(run, order, first.oracle);
}

Result<RunOutcome> runOnce(const RunStart& start, const std::set<ValueId>& early)
{
    if (!early.empty()) {
        Run run(start);
        return runOutOfOrder(run, early);
    }
    if (start.request.writeProbe) return runAndProbe(start);
    if (start.program.streams.several()) return runStreams(start);
    Run run(start);
    return runAll(run);
}

/// Tells where a forced run is, and nothing of what it finds.
class ForcedSteps : public RunObserver
{
public:
    explicit ForcedSteps(RunObserver& told) : m_told(told) {}
    void begin(const StepEvent& event) override
    {
        StepEvent forced = event;
        forced.forced = true;
        m_told.begin(forced);
    }

private:
    RunObserver& m_told;
};

/// Runs on, each time with other branches and numbers of trips: until every way has been taken that a run came to, then
/// in other combinations.
Result<RunResult::Forced> runForced(const RunStart& start, const std::set<ValueId>& early, RunResult& result)
{
    constexpr std::int64_t MostWhenCheap = 10'000;
    constexpr std::int64_t MostIdle = 2; // a way that fails each time is given up
    const Graph& graph = *start.program.graph;
    Coverage& coverage = start.coverage;
    const bool cheap = start.request.cover == RunRequest::Cover::WhenCheap;
    const std::int64_t most = cheap ? MostWhenCheap : std::max(MostWhenCheap, start.request.maxLoopNodes);
    const std::int64_t once = nodesRun(graph, coverage.bodyRuns).all; // more where loops go round
    const std::int64_t before = executions(graph, coverage.bodyRuns);
    RunResult::Forced forced;
    RunRequest request = start.request;
    ForcedSteps steps(start.observer);
    std::int64_t idle = 0;
    std::int64_t combination = 0;
    while (idle <= MostIdle && (coverage.open() > 0 || combination < coverage.combinations())) {
        const std::int64_t open = coverage.open();
        if (forced.nodes + once > most) {
            if (open > 0) forced.why = say("ran.forced-budget", most, Remedy::option("cover", "always"));
            break;
        }
        coverage.beginForced(open > 0 ? std::nullopt : std::optional(combination++));
        request.maxLoopNodes = most - forced.nodes;
        PLIMSOLL_ASSIGN(fresh, inFreshArenas(start, request, steps));
        start.observer.force(forced.runs + 1);
        Run run(fresh);
        const auto outcome = early.empty() ? runAll(run) : runOutOfOrder(run, early);
        coverage.endForced();
        if (!outcome.ok() && start.context.stopped()) return outcome.error();
        ++forced.runs;
        forced.nodes = executions(graph, coverage.bodyRuns) - before;
        addMismatches(start, outcome.ok() ? outcome.value().result.mismatches : run.result.mismatches,
                      say("run.in-forced", forced.runs), result);
        if (!outcome.ok()) forced.why = say("ran.forced-failed", forced.runs, toMessage(outcome.error()));
        idle = coverage.open() < open ? 0 : idle + (open > 0 ? 1 : 0);
    }
    forced.open = coverage.open();
    return forced;
}

/// What the runs say nothing of.
void addScope(const Graph& graph, const Coverage& coverage, RunResult& result)
{
    const NodesRun nodes = nodesRun(graph, coverage.bodyRuns);
    result.nodes = nodes.all;
    result.ranNodes = nodes.ran;
    result.notRun = notRun(graph, coverage.bodyRuns);
    std::ranges::move(notRunNotes(graph, coverage.bodyRuns), std::back_inserter(result.notes));
}

} // namespace

Result<RunOutcome> execute(const PlannedProgram& program, const RunRequest& request, RunObserver& observer,
                           const Context& context)
{
    PLIMSOLL_TRY(checkPlacements(program));
    PLIMSOLL_TRY(checkInputs(*program.graph, request));
    PLIMSOLL_ASSIGN(spaces, DeviceSpaces::create(program, request.devices));
    PLIMSOLL_TRY(checkMemory(memoryNeed(program, spaces), freeMemory(), request.maxBytes));
    PLIMSOLL_ASSIGN(arenas, ArenaMemory::create(arenasOf(program), spaces, request.poison));
    PLIMSOLL_ASSIGN(given, asHeld(*program.graph, request.inputs));
    ExternalValues externals(*program.graph, std::move(given), request.seed, std::move(spaces));
    Coverage coverage;
    const std::vector<NodeWrites> writes = nodeWrites(program);
    const RunStart start {program, request, externals, std::move(arenas), observer, context, coverage, writes};
    const std::set<ValueId> early = findTooEarly(program);
    PLIMSOLL_ASSIGN(outcome, runOnce(start, early));
    if (request.cover != RunRequest::Cover::Never && (coverage.open() > 0 || coverage.combinations() > 0))
        PLIMSOLL_SET(outcome.result.forced, runForced(start, early, outcome.result));
    addScope(*program.graph, coverage, outcome.result);
    if (!early.empty()) return outcome;
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
