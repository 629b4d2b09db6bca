#include "core/facts/words/stream_text.h"

#include <functional>

namespace plimsoll {

Message waitSentence(const Report& report, const StreamOrder::Wait& wait)
{
    if (wait.until == 0) return {};
    const word::Number stream {wait.stream};
    const word::Name other {(*report.program.graph)[wait.node].name};
    const word::Number otherStream {report.program.streams.of(wait.node)};
    if (wait.until >= report.program.schedule.length()) return say("streams.never", stream, other, otherStream);
    return say("streams.until", stream, wait.until, other, otherStream);
}

Message missingWaitSentence(const Report& report, const StreamEvent& event)
{
    const auto at = [&](NodeId node) {
        return say("node-at", word::Name {(*report.program.graph)[node].name},
                   word::Number {report.program.streams.of(node)}, word::Number {report.program.schedule.stepOf(node)});
    };
    return say("streams.missing", at(event.waiter), at(event.signal));
}

std::vector<NodeId> waitsFor(const Report& report, NodeId node)
{
    std::vector<NodeId> found;
    for (const StreamEvent& event : report.program.streams.events) {
        if (event.waiter == node) found.push_back(event.signal);
    }
    return found;
}

std::vector<NodeId> waitedForBy(const Report& report, NodeId node)
{
    std::vector<NodeId> found;
    for (const StreamEvent& event : report.program.streams.events) {
        if (event.signal == node) found.push_back(event.waiter);
    }
    return found;
}

WaitingStorages waitingStorages(const Report& report)
{
    WaitingStorages waiting;
    const auto waits = storageWaits(report.program);
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (waits[i].until == 0) continue;
        ++waiting.count;
        waiting.bytes += report.program.storages[i].bytes;
    }
    return waiting;
}

Message streamsSentence(const Report& report)
{
    if (!report.program.streams.several()) return {};
    std::vector<std::int64_t> nodes(static_cast<std::size_t>(report.program.streams.count()), 0);
    for (const NodeId node : report.program.graph->top().nodes) {
        if (!report.program.schedule.nodes[node.index()].empty())
            ++nodes[static_cast<std::size_t>(report.program.streams.of(node))];
    }
    return say("streams", nodes.size(), allOf(nodes, std::identity()), report.program.streams.events.size());
}

} // namespace plimsoll
