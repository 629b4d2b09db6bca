#include "kernels/runtime/launched_run.h"

#include "core/ops/reorder.h"
#include "kernels/runtime/execution.h"
#include "kernels/runtime/sparse_values.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

namespace plimsoll::kernels {
namespace {

/// The nodes that run, in the order of the schedule.
std::vector<NodeId> launchedNodes(const Graph& graph)
{
    std::vector<NodeId> nodes;
    std::ranges::copy_if(graph.top().nodes, std::back_inserter(nodes), [&](NodeId id) { return !graph[id].ahead; });
    return nodes;
}

std::set<Device*> devicesOf(const Report& report, const DeviceSpaces& spaces)
{
    std::set<Device*> devices;
    for (const NodeId node : launchedNodes(*report.graph))
        devices.insert(spaces.of(node));
    devices.erase(nullptr);
    return devices;
}

/// Memory that is asked for while nodes are under way would have to be waited for.
bool needsMemoryAtRunTime(const Report& report, const DeviceSpaces& spaces, NodeId node)
{
    const auto isUnplanned = [&](ValueId value) {
        return value.valid() && spaces.of(value) && !report.map.values[value.index()].placed();
    };
    const bool hasScratch = std::ranges::any_of(
        report.map.scratch, [node](const ScratchPlacement& one) { return one.node == node && one.where.placed(); });
    const bool lacksScratch =
        spaces.of(node) && report.implementations[node.index()].scratchpadBytes > 0 && !hasScratch;
    return lacksScratch || std::ranges::any_of((*report.graph)[node].outputs, isUnplanned);
}

/// "its nested graph 'loop' is run by the host"; empty where the plan can be launched.
std::string obstacle(const Report& report, const DeviceSpaces& spaces)
{
    if (devicesOf(report, spaces).size() > 1) return "it computes on several devices";
    for (const NodeId id : launchedNodes(*report.graph)) {
        const Node& node = (*report.graph)[id];
        if (!node.bodies.empty()) return "the nested graphs of '" + node.name + "' are run by the host";
        if (needsMemoryAtRunTime(report, spaces, id)) return "'" + node.name + "' gets memory at run time";
    }
    return {};
}

/// "'top' is computed by the host"; empty where all nodes are the device's.
std::string obstacleToCapture(const Report& report, const DeviceSpaces& spaces)
{
    for (const NodeId id : launchedNodes(*report.graph)) {
        const Node& node = (*report.graph)[id];
        if (!isSpaceCopy(node) && !spaces.of(id)) return "'" + node.name + "' is computed by the host";
    }
    return {};
}

class LaunchedRun
{
public:
    LaunchedRun(const Report& report, Execution& execution, ArenaMemory memory, Device& device)
        : m_report(report), m_execution(execution), m_memory(std::move(memory)), m_device(device),
          m_streams(*device.streams()), m_nodes(launchedNodes(*report.graph)), m_events(report.graph->nodes.size(), -1),
          m_waits(report.graph->nodes.size())
    {
        for (const StreamEvent& event : report.streams.events) {
            m_waits[event.waiter.index()].push_back(event.signal);
            m_events[event.signal.index()] = static_cast<std::int32_t>(event.signal.number());
        }
    }

    /// Milliseconds, by the host's clock, from the first node to the end of the last.
    Result<double> launch()
    {
        PLIMSOLL_TRY(makeReady());
        return timed([this]() -> Status {
            PLIMSOLL_TRY(handOver());
            return m_device.finish();
        });
    }
    /// The same, of noting them all.
    Result<double> capture()
    {
        PLIMSOLL_TRY(makeReady());
        return timed([this]() -> Status {
            PLIMSOLL_TRY(m_streams.beginRecording());
            const Status noted = handOver();
            PLIMSOLL_TRY(m_streams.use(0));
            PLIMSOLL_ASSIGN(recording, m_streams.endRecording());
            m_recording = std::move(recording);
            return noted;
        });
    }
    /// The same, of what was captured.
    Result<double> replay()
    {
        PLIMSOLL_TRY(makeReady());
        return timed([this]() -> Status {
            PLIMSOLL_TRY(m_recording->replay());
            return m_device.finish();
        });
    }

private:
    /// What an earlier launch has left must not stand in for what this one forgets.
    Status makeReady()
    {
        for (std::size_t i = 0; i < m_report.map.arenas.size(); ++i)
            m_memory.poison(ArenaId(i), {0, m_report.map.arenas[i].bytes});
        PLIMSOLL_TRY(m_memory.health());
        PLIMSOLL_TRY(m_execution.placeExternals());
        for (const NodeId node : m_nodes)
            PLIMSOLL_TRY(m_execution.nodes().loadInputs(node));
        return m_device.finish();
    }

    Status handOver()
    {
        for (const NodeId node : m_nodes) {
            PLIMSOLL_TRY(m_streams.use(m_report.streams.of(node)));
            for (const NodeId other : m_waits[node.index()])
                PLIMSOLL_TRY(m_streams.wait(m_events[other.index()]));
            PLIMSOLL_TRY(m_execution.nodes().launch(m_execution.planned(), node, m_streams));
            if (m_events[node.index()] >= 0) PLIMSOLL_TRY(m_streams.record(m_events[node.index()]));
        }
        return m_streams.use(0);
    }

    template <typename Work>
    static Result<double> timed(const Work& work)
    {
        const auto begin = std::chrono::steady_clock::now();
        PLIMSOLL_TRY(work());
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }

    const Report& m_report;
    Execution& m_execution;
    ArenaMemory m_memory;
    Device& m_device;
    DeviceStreams& m_streams;
    std::vector<NodeId> m_nodes;
    std::vector<std::int32_t> m_events;       ///< By NodeId; -1 where nobody waits for it.
    std::vector<std::vector<NodeId>> m_waits; ///< By NodeId.
    std::unique_ptr<Recording> m_recording;
};

/// Outputs that are not what the compared run made, each once.
class OutputCheck
{
public:
    OutputCheck(const Report& report, const World& world, RunObserver& observer, RunOutcome& outcome)
        : m_report(report), m_world(world), m_observer(observer), m_outcome(outcome)
    {
    }
    void compare(const std::string& when)
    {
        const Graph& graph = *m_report.graph;
        for (std::size_t i = 0; i < m_outcome.outputs.size(); ++i) {
            const ValueId output = graph.top().outputs[i];
            const RuntimeValue found = asShown(m_world.value(output), graph[output].type).dense;
            const auto difference = compareExactly(found, m_outcome.outputs[i]);
            if (!difference || !m_known.insert(output).second) continue;
            RunResult::Mismatch mismatch;
            mismatch.value = graph[output].name;
            mismatch.maxAbsDiff = difference->maxAbsDiff;
            mismatch.note = difference->note + "; " + when;
            if (const NodeId producer = graph[output].producer; producer.valid()) {
                mismatch.node = graph[producer].name;
                mismatch.step = m_report.schedule.stepOf(producer);
            }
            m_observer.mismatch(mismatch);
            m_outcome.result.mismatches.push_back(std::move(mismatch));
        }
    }

    /// Data that kernels refuse here and did not refuse in the compared run.
    void addFailure(const std::string& why)
    {
        RunResult::Mismatch mismatch;
        mismatch.maxAbsDiff = std::numeric_limits<double>::quiet_NaN();
        mismatch.note = why;
        m_observer.mismatch(mismatch);
        m_outcome.result.mismatches.push_back(std::move(mismatch));
    }

private:
    const Report& m_report;
    const World& m_world;
    RunObserver& m_observer;
    RunOutcome& m_outcome;
    std::set<ValueId> m_known;
};

/// The least of several times.
template <typename Once>
Result<double> leastOf(std::int64_t times, const Once& once)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < times; ++i) {
        PLIMSOLL_ASSIGN(ms, once());
        least = std::min(least, ms);
    }
    return least;
}

struct Launching
{
    const Report& report;
    const Lockstep::Parts& parts;
    LaunchedRun& run;
    OutputCheck& check;
    std::int64_t times = 1;
    RunResult::Launched& launched;
};

Status launchEagerly(const Launching& on)
{
    PLIMSOLL_ASSIGN(ms, leastOf(on.times, [&]() -> Result<double> {
                        if (on.parts.context.stopped())
                            return Error {ErrorCode::Stopped, "The run was stopped.", {}, {}};
                        PLIMSOLL_ASSIGN(passed, on.run.launch());
                        on.check.compare("launched on its streams without a wait between nodes");
                        return passed;
                    }));
    on.launched.eagerMs = ms;
    on.launched.times = on.times;
    return {};
}

Status captureAndReplay(const Launching& on)
{
    if (const std::string host = obstacleToCapture(on.report, on.parts.externals.spaces()); !host.empty()) {
        on.launched.why = "It was not captured as a graph: " + host + ".";
        return {};
    }
    PLIMSOLL_ASSIGN(capture, on.run.capture());
    PLIMSOLL_ASSIGN(ms, leastOf(on.times, [&]() -> Result<double> {
                        if (on.parts.context.stopped())
                            return Error {ErrorCode::Stopped, "The run was stopped.", {}, {}};
                        PLIMSOLL_ASSIGN(passed, on.run.replay());
                        on.check.compare("in a replay of the graph that was captured");
                        return passed;
                    }));
    on.launched.captureMs = capture;
    on.launched.replayMs = ms;
    on.launched.replays = on.times;
    return {};
}

} // namespace

Status runLaunched(const Report& report, const RunRequest& request, const Lockstep::Parts& parts, RunOutcome& outcome)
{
    const DeviceSpaces& spaces = parts.externals.spaces();
    const std::set<Device*> devices = devicesOf(report, spaces);
    if (devices.empty() || !(*devices.begin())->streams()) return {};
    RunResult::Launched& launched = outcome.result.launched.emplace();
    if (const std::string why = obstacle(report, spaces); !why.empty()) {
        launched.why = "It was not launched as a whole: " + why + ".";
        return {};
    }
    parts.observer.launch();
    RunObserver silent;
    Execution execution(report, request, {report, parts.externals, parts.memory, silent, parts.context}, nullptr);
    PLIMSOLL_TRY(execution.prepare());
    LaunchedRun run(report, execution, parts.memory, **devices.begin());
    OutputCheck check(report, execution.planned(), parts.observer, outcome);
    const std::int64_t times = std::max<std::int64_t>(request.repeat, report.streams.count());
    const Launching launching {report, parts, run, check, times, launched};
    Status status = launchEagerly(launching);
    if (status.ok() && report.policies.replay == ReplayPolicy::Graph) status = captureAndReplay(launching);
    if (status.ok() || status.error().code == ErrorCode::Stopped) return status;
    launched.why = "It could not be launched as a whole: " + describe(status.error());
    if (status.error().code == ErrorCode::BadInput) check.addFailure(launched.why);
    return {};
}

} // namespace plimsoll::kernels
