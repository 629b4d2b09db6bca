#pragma once

#include "kernels/run/run.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// What devices compute in a plan, or copy, between two waits of the host, and what the host does then: nodes of its
/// own, copies from device to device, owners of nested graphs.
///
///     | a b CopyTo.cpu | topk |        | CopyTo.cuda c If |        cuda:0: 2 stretches
struct Stretch
{
    Device* device = nullptr; ///< nullptr where the host begins.
    std::vector<NodeId> nodes;
    std::vector<NodeId> behind;
};
[[nodiscard]] std::vector<Stretch> stretchesOf(const PlannedProgram& program, const DeviceSpaces& spaces);
/// Those whose device has something to do.
[[nodiscard]] std::int64_t countWork(const std::vector<Stretch>& stretches);

/// A plan handed to its devices stretch by stretch: every node goes to its stream, with the events of the plan, and
/// nothing waits within a stretch. Where one device computes, a node of the host waits for its own stream alone.
/// Streams and events of a plan are of one device: between two devices no event stands for what the order of the plan
/// promises, so that all of them are waited for at each change, and an event that is missing between stretches does not
/// show.
class LaunchedPlan
{
public:
    /// \p run is prepared, and where the plan has nested graphs it has adopted an oracle.
    explicit LaunchedPlan(Run& run);

    [[nodiscard]] const std::vector<Stretch>& stretches() const { return m_stretches; }
    /// Milliseconds, by the host's clock, from the first node to the end of the last.
    [[nodiscard]] Result<double> launch();
    /// The same, of noting all nodes of devices, each stretch by itself.
    [[nodiscard]] Result<double> capture();
    /// The same, of what was captured, with the host's nodes in between.
    [[nodiscard]] Result<double> replay();

private:
    [[nodiscard]] Status makeReady();
    [[nodiscard]] Status bringBuffers(NodeId node);
    [[nodiscard]] Status finish();
    [[nodiscard]] Status handOver(const Stretch& stretch);
    [[nodiscard]] Status handOver(NodeId node, Device& device);
    [[nodiscard]] Status waitForStream(NodeId node, Device& device);
    [[nodiscard]] Status computeOnHost(NodeId node);
    [[nodiscard]] Status noteEvent(NodeId node, Device& device);
    [[nodiscard]] Result<std::unique_ptr<Recording>> record(const Stretch& stretch);

    Run& m_run;
    std::vector<Stretch> m_stretches;
    std::set<Device*> m_devices;
    std::vector<std::int32_t> m_events;       ///< By NodeId; -1 where nothing waits for it.
    std::vector<std::vector<NodeId>> m_waits; ///< By NodeId.
    /// By NodeId: the device of the event that stands for its end. None where the host has waited for it, or it was not
    /// captured along.
    std::vector<Device*> m_recordedBy;
    std::vector<std::unique_ptr<Recording>> m_recordings; ///< By stretch; nullptr for one without nodes.
};

/// The plan as its device runs it, behind the run that was compared: every node handed to its stream, the events of the
/// plan between them, no wait before the end. In poisoned arenas, as often as is asked and once for each stream at
/// least; under replay=graph captured as well, and the graph replayed as often. What it took is noted in \p outcome,
/// and outputs that are not those of the compared run become mismatches.
///
/// Does nothing for a plan that computes on no device. What keeps it from being launched is noted, too; an Error is a
/// stop.
[[nodiscard]] Status runLaunched(const RunStart& start, RunOutcome& outcome);

} // namespace plimsoll::kernels
