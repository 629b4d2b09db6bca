#include "kernels/run/device/launched_plan.h"

#include "core/ops/reorder_node.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/step/comparison.h"

#include <algorithm>
#include <limits>
#include <set>

namespace plimsoll::kernels {
namespace {

/// Those that the host computes, owns or moves in between count, too.
template <typename Check>
NodeId firstNode(const std::vector<Stretch>& stretches, const Check& check)
{
    for (const Stretch& stretch : stretches) {
        for (const auto* nodes : {&stretch.nodes, &stretch.behind}) {
            for (const NodeId node : *nodes) {
                if (check(node)) return node;
            }
        }
    }
    return {};
}

/// The node that keeps the plan from being launched; invalid where none does. Memory that is asked for while nodes are
/// under way would have to be waited for.
NodeId obstacle(const PlannedProgram& program, const DeviceSpaces& spaces, const std::vector<Stretch>& stretches)
{
    const auto isUnplanned = [&](ValueId value) {
        if (!value.valid() || !spaces.of(value)) return false;
        const ValuePlacement& where = program.map.values[value.index()];
        return !where.placed() && !where.host.valid();
    };
    return firstNode(stretches, [&](NodeId node) {
        const bool hasScratch = std::ranges::any_of(program.map.scratch, [node](const ScratchPlacement& one) {
            return one.node == node && one.where.placed();
        });
        const bool wantsScratch = spaces.of(node) && program.implementations[node].scratchpadBytes > 0;
        return (wantsScratch && !hasScratch) || std::ranges::any_of((*program.graph)[node].outputs, isUnplanned);
    });
}

/// The copy whose source is the host's and gets new memory each time: a graph knows addresses. Invalid where all stay.
NodeId obstacleToCapture(const PlannedProgram& program, const std::vector<Stretch>& stretches)
{
    const Graph& graph = *program.graph;
    return firstNode(stretches, [&](NodeId node) {
        if (!isSpaceCopy(graph[node])) return false;
        const ValueId source = graph[node].inputs[0];
        const ValuePlacement& where = program.map.values[source.index()];
        const bool outside = !graph[source].producer.valid() || graph.decided[graph[source].producer].ahead;
        return !outside && !where.placed() && !where.host.valid();
    });
}

/// A launch and what is known of it: outputs that are not what the compared run made become mismatches, each once.
struct Launch
{
    Run& run;
    RunObserver& observer;
    RunOutcome& outcome;
    LaunchedPlan plan;
    std::int64_t times = 1;
    std::set<std::string> known {}; ///< Values.
};

void add(Launch& on, RunResult::Mismatch mismatch, const Message& when)
{
    if (!on.known.insert(mismatch.value).second) return;
    mismatch.note = say("clauses", std::move(mismatch.note), when);
    on.observer.mismatch(mismatch);
    on.outcome.result.mismatches.push_back(std::move(mismatch));
}

/// The outputs, and what owners of nested graphs have found beside the oracle.
Status compareOutputs(Launch& on, const Message& when)
{
    const Graph& graph = on.run.planned.graph();
    for (std::size_t i = 0; i < on.outcome.outputs.size(); ++i) {
        const ValueId output = graph.top().outputs[i];
        PLIMSOLL_ASSIGN(there, on.run.planned.onHost(output));
        const RuntimeValue found = asShown(there, graph[output].type).dense;
        const auto difference = compareExactly(found, on.outcome.outputs[i]);
        if (!difference) continue;
        RunResult::Mismatch mismatch;
        mismatch.value = graph[output].name;
        mismatch.maxAbsDiff = difference->maxAbsDiff;
        mismatch.note = difference->note;
        if (const NodeId producer = graph[output].producer; producer.valid()) {
            mismatch.node = graph[producer].name;
            mismatch.step = on.run.start.program.schedule.stepOf(producer);
        }
        add(on, std::move(mismatch), when);
    }
    for (const RunResult::Mismatch& mismatch : on.run.result.mismatches)
        add(on, mismatch, when);
    return {};
}

/// The least time of several runs, each of which is compared.
template <typename Once>
Result<double> leastOf(Launch& on, const Message& when, const Once& once)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < on.times; ++i) {
        if (on.run.start.context.stopped()) return Error {ErrorCode::Stopped, say("run.stopped"), {}, {}};
        PLIMSOLL_ASSIGN(ms, once());
        PLIMSOLL_TRY(compareOutputs(on, when));
        least = std::min(least, ms);
    }
    return least;
}

Status launchAll(Launch& on)
{
    const PlannedProgram& program = on.run.start.program;
    RunResult::Launched& launched = *on.outcome.result.launched;
    PLIMSOLL_ASSIGN(eager, leastOf(on, say("run.launched"), [&] { return on.plan.launch(); }));
    launched.eagerMs = eager;
    launched.times = on.times;
    if (program.policies.replay != ReplayPolicy::Graph) return {};
    const Graph& graph = *program.graph;
    if (const NodeId copy = obstacleToCapture(program, on.plan.stretches()); copy.valid()) {
        launched.why = say("run.not-captured", word::Name {graph[graph[copy].inputs[0]].name});
        return {};
    }
    PLIMSOLL_ASSIGN(capture, on.plan.capture());
    PLIMSOLL_ASSIGN(again, leastOf(on, say("run.replayed-graph"), [&] { return on.plan.replay(); }));
    launched.captureMs = capture;
    launched.replayMs = again;
    launched.replays = on.times;
    return {};
}

} // namespace

Status runLaunched(const RunStart& start, RunOutcome& outcome)
{
    const DeviceSpaces& spaces = start.externals.spaces();
    const std::vector<Stretch> stretches = stretchesOf(start.program, spaces);
    const bool streams =
        std::ranges::all_of(spaces.devices(), [](const auto& entry) { return entry.second->streams() != nullptr; });
    if (countWork(stretches) == 0 || !streams) return {};
    outcome.result.launched = RunResult::Launched {};
    RunResult::Launched& launched = *outcome.result.launched;
    const Graph& graph = *start.program.graph;
    if (const NodeId node = obstacle(start.program, spaces, stretches); node.valid()) {
        launched.why = say("run.not-whole", word::Name {graph[node].name});
        return {};
    }
    launched.stretches = countWork(stretches);
    const NodeId owner = firstNode(stretches, [&](NodeId node) { return !graph[node].bodies.empty(); });
    if (owner.valid()) launched.why = say("run.owner-apart", word::Name {graph[owner].name});
    start.observer.launch();
    RunObserver silent; // Steps are told once.
    const RunStart again = silently(start, silent);
    Run run(again);
    run.caller.emplace(); // the same buffers in every launch: a graph knows addresses
    PLIMSOLL_TRY(prepare(run));
    if (owner.valid()) { // owners compare what is inside of them with all that the top makes
        Run beside(again);
        beside.compared.oracle = Comparison::Oracle::Kept;
        PLIMSOLL_TRY(runAll(beside));
        adoptOracle(run, beside.oracle);
    }
    const std::int64_t times = std::max<std::int64_t>(start.request.repeat, start.program.streams.count());
    Launch launch {run, start.observer, outcome, LaunchedPlan(run), times};
    const Status status = launchAll(launch);
    if (status.ok() || status.error().code == ErrorCode::Stopped) return status;
    launched.why = say("run.not-launched", toMessage(status.error()));
    // Data that kernels refuse here and did not refuse in the compared run, where a hash stood for no node, say
    // something.
    if (status.error().code != ErrorCode::BadInput || outcome.result.fingerprintedNodes > 0) return {};
    const RunResult::Mismatch refused {{}, {}, 0, std::numeric_limits<double>::quiet_NaN(), launched.why};
    start.observer.mismatch(refused);
    outcome.result.mismatches.push_back(refused);
    return {};
}

} // namespace plimsoll::kernels
