#include "kernels/run/device/launched_run.h"

#include "core/ops/reorder_node.h"
#include "kernels/run/device/launched_plan.h"
#include "kernels/run/memory/sparse_values.h"

#include <algorithm>
#include <limits>
#include <set>

namespace plimsoll::kernels {
namespace {

/// Those that the host computes, owns or moves in between count, too.
template <typename Check>
std::string firstNode(const std::vector<Stretch>& stretches, const Check& check)
{
    for (const Stretch& stretch : stretches) {
        for (const auto* nodes : {&stretch.nodes, &stretch.behind}) {
            for (const NodeId node : *nodes) {
                if (std::string found = check(node); !found.empty()) return found;
            }
        }
    }
    return {};
}

/// Memory that is asked for while nodes are under way would have to be waited for.
bool needsMemoryAtRunTime(const PlannedProgram& program, const DeviceSpaces& spaces, NodeId node)
{
    const auto isUnplanned = [&](ValueId value) {
        if (!value.valid() || !spaces.of(value)) return false;
        const ValuePlacement& where = program.map.values[value.index()];
        return !where.placed() && !where.host.valid();
    };
    const bool hasScratch = std::ranges::any_of(
        program.map.scratch, [node](const ScratchPlacement& one) { return one.node == node && one.where.placed(); });
    const bool lacksScratch =
        spaces.of(node) && program.implementations[node.index()].scratchpadBytes > 0 && !hasScratch;
    return lacksScratch || std::ranges::any_of((*program.graph)[node].outputs, isUnplanned);
}

/// "'n' gets memory at run time"; empty where the plan can be launched.
std::string obstacle(const PlannedProgram& program, const DeviceSpaces& spaces, const std::vector<Stretch>& stretches)
{
    return firstNode(stretches, [&](NodeId node) {
        const bool needs = needsMemoryAtRunTime(program, spaces, node);
        return needs ? "'" + (*program.graph)[node].name + "' gets memory at run time" : std::string();
    });
}

/// A graph knows addresses. What the host gets anew each time has another one; empty where all stay.
std::string obstacleToCapture(const PlannedProgram& program, const std::vector<Stretch>& stretches)
{
    const Graph& graph = *program.graph;
    return firstNode(stretches, [&](NodeId node) -> std::string {
        if (!isSpaceCopy(graph[node])) return {};
        const ValueId source = graph[node].inputs[0];
        const ValuePlacement& where = program.map.values[source.index()];
        const bool outside = !graph[source].producer.valid() || graph.decided[graph[source].producer].ahead;
        return outside || where.placed() || where.host.valid() ? ""
                                                               : "'" + graph[source].name + "' gets memory at run time";
    });
}

/// "'l' ran its nested graphs step by step, beside the oracle, in between."; empty where nobody has any.
std::string ownersNote(const PlannedProgram& program, const std::vector<Stretch>& stretches)
{
    return firstNode(stretches, [&](NodeId node) -> std::string {
        const Node& info = (*program.graph)[node];
        if (info.bodies.empty()) return {};
        return "'" + info.name + "' ran its nested graphs step by step, beside the oracle, in between.";
    });
}

/// Outputs that are not what the compared run made, each once.
class OutputCheck
{
public:
    OutputCheck(const PlannedProgram& program, const World& world, RunObserver& observer, RunOutcome& outcome)
        : m_program(program), m_world(world), m_observer(observer), m_outcome(outcome)
    {
    }
    Status compare(const std::string& when)
    {
        const Graph& graph = *m_program.graph;
        for (std::size_t i = 0; i < m_outcome.outputs.size(); ++i) {
            const ValueId output = graph.top().outputs[i];
            PLIMSOLL_ASSIGN(there, m_world.onHost(output));
            const RuntimeValue found = asShown(there, graph[output].type).dense;
            const auto difference = compareExactly(found, m_outcome.outputs[i]);
            if (!difference) continue;
            RunResult::Mismatch mismatch;
            mismatch.value = graph[output].name;
            mismatch.maxAbsDiff = difference->maxAbsDiff;
            mismatch.note = difference->note;
            if (const NodeId producer = graph[output].producer; producer.valid()) {
                mismatch.node = graph[producer].name;
                mismatch.step = m_program.schedule.stepOf(producer);
            }
            add(std::move(mismatch), when);
        }
        return {};
    }
    /// What owners of nested graphs have found beside the oracle.
    void take(std::vector<RunResult::Mismatch> found, const std::string& when)
    {
        for (RunResult::Mismatch& mismatch : found)
            add(std::move(mismatch), when);
    }

    /// Data that kernels refuse here and did not refuse in the compared run.
    void addFailure(const Message& why)
    {
        RunResult::Mismatch mismatch;
        mismatch.maxAbsDiff = std::numeric_limits<double>::quiet_NaN();
        mismatch.note = why;
        m_observer.mismatch(mismatch);
        m_outcome.result.mismatches.push_back(std::move(mismatch));
    }

private:
    void add(RunResult::Mismatch mismatch, const std::string& when)
    {
        if (!m_known.insert(mismatch.value).second) return;
        mismatch.note = say("clauses", std::move(mismatch.note), when);
        m_observer.mismatch(mismatch);
        m_outcome.result.mismatches.push_back(std::move(mismatch));
    }

    const PlannedProgram& m_program;
    const World& m_world;
    RunObserver& m_observer;
    RunOutcome& m_outcome;
    std::set<std::string> m_known; ///< Values.
};

struct Launching
{
    const PlannedProgram& program;
    const Lockstep::Parts& parts;
    Execution& execution;
    LaunchedPlan& plan;
    OutputCheck& check;
    std::int64_t times = 1;
    RunResult::Launched& launched;
};

/// The least time of several runs, each of which is compared.
template <typename Once>
Result<double> leastOf(const Launching& on, const std::string& when, const Once& once)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < on.times; ++i) {
        if (on.parts.context.stopped()) return Error {ErrorCode::Stopped, "The run was stopped.", {}, {}};
        PLIMSOLL_ASSIGN(ms, once());
        PLIMSOLL_TRY(on.check.compare(when));
        on.check.take(on.execution.mismatches(), when);
        least = std::min(least, ms);
    }
    return least;
}

Status launchEagerly(const Launching& on)
{
    PLIMSOLL_ASSIGN(
        ms, leastOf(on, "launched on its streams without a wait between nodes", [&] { return on.plan.launch(); }));
    on.launched.eagerMs = ms;
    on.launched.times = on.times;
    return {};
}

Status captureAndReplay(const Launching& on)
{
    if (const std::string why = obstacleToCapture(on.program, on.plan.stretches()); !why.empty()) {
        on.launched.why = "It was not captured as a graph: " + why + ".";
        return {};
    }
    PLIMSOLL_ASSIGN(capture, on.plan.capture());
    PLIMSOLL_ASSIGN(ms, leastOf(on, "in a replay of the graph that was captured", [&] { return on.plan.replay(); }));
    on.launched.captureMs = capture;
    on.launched.replayMs = ms;
    on.launched.replays = on.times;
    return {};
}

/// All that the top makes, for owners that compare what is inside of them with it.
Status adoptOracle(const PlannedProgram& program, const RunRequest& request, const Lockstep::Parts& parts,
                   Execution& execution)
{
    RunObserver silent;
    Execution compared(program, request, {program, parts.externals, parts.memory, silent, parts.context}, nullptr);
    compared.keepOracle();
    PLIMSOLL_TRY(compared.run());
    execution.adoptOracle(compared.oracle());
    return {};
}

bool allHaveStreams(const DeviceSpaces& spaces)
{
    return std::ranges::all_of(spaces.devices(), [](const auto& entry) { return entry.second->streams() != nullptr; });
}

} // namespace

Status runLaunched(const PlannedProgram& program, const RunRequest& request, const Lockstep::Parts& parts,
                   RunOutcome& outcome)
{
    const DeviceSpaces& spaces = parts.externals.spaces();
    const std::vector<Stretch> stretches = stretchesOf(program, spaces);
    if (countWork(stretches) == 0 || !allHaveStreams(spaces)) return {};
    RunResult::Launched& launched = outcome.result.launched.emplace();
    if (const std::string why = obstacle(program, spaces, stretches); !why.empty()) {
        launched.why = "It was not launched as a whole: " + why + ".";
        return {};
    }
    launched.stretches = countWork(stretches);
    const std::string owners = ownersNote(program, stretches);
    launched.why = owners;
    parts.observer.launch();
    RunObserver silent;
    CallerBytes caller; // the same in every launch: a graph knows addresses
    Execution execution(program, request, {program, parts.externals, parts.memory, silent, parts.context}, &caller);
    PLIMSOLL_TRY(execution.prepare());
    if (!owners.empty()) PLIMSOLL_TRY(adoptOracle(program, request, parts, execution));
    LaunchedPlan plan(program, execution, parts.memory, spaces);
    OutputCheck check(program, execution.planned(), parts.observer, outcome);
    const std::int64_t times = std::max<std::int64_t>(request.repeat, program.streams.count());
    const Launching launching {program, parts, execution, plan, check, times, launched};
    Status status = launchEagerly(launching);
    if (status.ok() && program.policies.replay == ReplayPolicy::Graph) status = captureAndReplay(launching);
    if (status.ok() || status.error().code == ErrorCode::Stopped) return status;
    launched.why = say("run.not-launched", toMessage(status.error()));
    if (status.error().code == ErrorCode::BadInput) check.addFailure(launched.why);
    return {};
}

} // namespace plimsoll::kernels
