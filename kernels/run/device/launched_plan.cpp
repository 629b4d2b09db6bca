#include "kernels/run/device/launched_plan.h"

#include "core/base/stopwatch.h"
#include "core/ops/reorder_node.h"
#include "kernels/run/control/control_flow.h"
#include "kernels/run/step/node_step.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

template <typename Work>
Result<double> timed(const Work& work)
{
    const Stopwatch watch;
    PLIMSOLL_TRY(work());
    return watch.ms();
}

} // namespace

std::vector<Stretch> stretchesOf(const PlannedProgram& program, const DeviceSpaces& spaces)
{
    const Graph& graph = *program.graph;
    std::vector<Stretch> stretches;
    for (const NodeId node : program.schedule.order[TopBody.index()]) {
        if (graph.decided[node].ahead) continue;
        Device* device = spaces.of(node); // nullptr for what the host does, or waits for
        if (isSpaceCopy(graph[node])) {
            Device* const from = spaces.of(graph[node].inputs[0]);
            Device* const to = spaces.of(graph[node].outputs[0]);
            device = from && to ? nullptr : to ? to : from;
        }
        const bool goesOn =
            !stretches.empty() && (!device || (stretches.back().device == device && stretches.back().behind.empty()));
        if (!goesOn) stretches.push_back({device, {}, {}});
        (device ? stretches.back().nodes : stretches.back().behind).push_back(node);
    }
    return stretches;
}

std::int64_t countWork(const std::vector<Stretch>& stretches)
{
    return std::ranges::count_if(stretches, [](const Stretch& one) { return !one.nodes.empty(); });
}

LaunchedPlan::LaunchedPlan(Run& run)
    : m_run(run), m_stretches(stretchesOf(run.start.program, run.planned.spaces())),
      m_events(run.planned.graph().nodes.size(), -1), m_waits(m_events.size()), m_recordedBy(m_events.size(), nullptr)
{
    for (const auto& [space, device] : run.planned.spaces().devices())
        m_devices.insert(device.get());
    for (const StreamEvent& event : run.start.program.streams.events) {
        m_waits[event.waiter.index()].push_back(event.signal);
        m_events[event.signal.index()] = static_cast<std::int32_t>(event.signal.number());
    }
}

Result<double> LaunchedPlan::launch()
{
    PLIMSOLL_TRY(makeReady());
    return timed([this]() -> Status {
        for (const Stretch& stretch : m_stretches) {
            PLIMSOLL_TRY(handOver(stretch));
            if (m_devices.size() > 1) PLIMSOLL_TRY(finish());
            for (const NodeId node : stretch.behind)
                PLIMSOLL_TRY(computeOnHost(node));
        }
        return finish();
    });
}

Result<double> LaunchedPlan::capture()
{
    PLIMSOLL_TRY(makeReady());
    return timed([this]() -> Status {
        for (const Stretch& stretch : m_stretches) {
            std::ranges::fill(m_recordedBy, nullptr);
            PLIMSOLL_ASSIGN(recording, record(stretch));
            m_recordings.push_back(std::move(recording));
        }
        return {};
    });
}

Result<double> LaunchedPlan::replay()
{
    PLIMSOLL_TRY(makeReady());
    return timed([this]() -> Status {
        for (std::size_t i = 0; i < m_stretches.size(); ++i) {
            if (m_recordings[i]) PLIMSOLL_TRY(m_recordings[i]->replay());
            PLIMSOLL_TRY(finish());
            for (const NodeId node : m_stretches[i].behind)
                PLIMSOLL_TRY(computeOnHost(node));
        }
        return finish();
    });
}

/// What an earlier launch has left must not stand in for what this one forgets.
Status LaunchedPlan::makeReady()
{
    ArenaMemory& arenas = m_run.planned.arenas();
    const std::vector<PlannedArena>& planned = m_run.start.program.map.arenas;
    for (std::size_t i = 0; i < planned.size(); ++i)
        arenas.poison(ArenaId(i), {0, planned[i].bytes});
    PLIMSOLL_TRY(arenas.health());
    PLIMSOLL_TRY(placeExternals(m_run));
    for (const Stretch& stretch : m_stretches) {
        for (const auto* nodes : {&stretch.nodes, &stretch.behind}) {
            for (const NodeId node : *nodes) {
                PLIMSOLL_TRY(loadInputs(m_run, node));
                PLIMSOLL_TRY(bringBuffers(node));
            }
        }
    }
    std::ranges::fill(m_recordedBy, nullptr);
    return finish();
}

/// That the caller brings for what the node makes: the same in every launch.
Status LaunchedPlan::bringBuffers(NodeId node)
{
    for (const ValueId output : m_run.planned.graph()[node].outputs) {
        if (!output.valid() || m_run.start.program.map.values[output.index()].host != output) continue;
        const TensorType& type = m_run.planned.graph()[output].type;
        if (const auto shape = type.shape()) PLIMSOLL_TRY(m_run.planned.produce(output, type.dtype, *shape));
    }
    return {};
}

Status LaunchedPlan::finish()
{
    for (Device* const device : m_devices)
        PLIMSOLL_TRY(device->finish());
    return {};
}

Status LaunchedPlan::handOver(const Stretch& stretch)
{
    for (const NodeId node : stretch.nodes)
        PLIMSOLL_TRY(handOver(node, *stretch.device));
    return stretch.device ? stretch.device->streams()->use(0) : Status {};
}

Status LaunchedPlan::handOver(NodeId node, Device& device)
{
    PLIMSOLL_TRY(waitForStream(node, device));
    PLIMSOLL_TRY(launchNode(m_run, node));
    return noteEvent(node, device);
}

/// The node's stream is in use then, and behind the events that the node waits for.
Status LaunchedPlan::waitForStream(NodeId node, Device& device)
{
    PLIMSOLL_TRY(device.streams()->use(m_run.start.program.streams.of(node)));
    for (const NodeId other : m_waits[node.index()]) {
        if (m_recordedBy[other.index()] == &device) PLIMSOLL_TRY(device.streams()->wait(m_events[other.index()]));
    }
    return {};
}

Status LaunchedPlan::noteEvent(NodeId node, Device& device)
{
    if (m_events[node.index()] < 0) return {};
    m_recordedBy[node.index()] = &device;
    return device.streams()->record(m_events[node.index()]);
}

Status LaunchedPlan::computeOnHost(NodeId node)
{
    const bool owner = !m_run.planned.graph()[node].bodies.empty();
    if (owner || m_devices.size() > 1) PLIMSOLL_TRY(finish());
    if (owner) return runNode(m_run, node);
    if (m_devices.size() > 1) return launchNode(m_run, node);
    Device& device = **m_devices.begin();
    PLIMSOLL_TRY(waitForStream(node, device));
    PLIMSOLL_TRY(device.streams()->drain());
    PLIMSOLL_TRY(launchNode(m_run, node));
    return noteEvent(node, device);
}

Result<std::unique_ptr<Recording>> LaunchedPlan::record(const Stretch& stretch)
{
    if (stretch.nodes.empty()) return std::unique_ptr<Recording>();
    DeviceStreams& streams = *stretch.device->streams();
    PLIMSOLL_TRY(streams.beginRecording());
    const Status noted = handOver(stretch);
    Result<std::unique_ptr<Recording>> recording = streams.endRecording();
    PLIMSOLL_TRY(noted);
    return recording;
}

} // namespace plimsoll::kernels
