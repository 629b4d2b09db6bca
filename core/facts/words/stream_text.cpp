#include "core/facts/words/stream_text.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"

namespace plimsoll {

std::string waitSentence(const Report& report, const StreamOrder::Wait& wait)
{
    if (wait.until == 0) return {};
    const std::string stream = "stream " + std::to_string(wait.stream);
    const std::string other = "'" + (*report.program.graph)[wait.node].name + "' of stream " +
                              std::to_string(report.program.streams.of(wait.node));
    if (wait.until >= report.program.schedule.length())
        return "S" + stream.substr(1) + " never waits for " + other + ".";
    return "S" + stream.substr(1) + " may write here from step " + formatCount(wait.until) +
           " on: until then it does not wait for " + other + ".";
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

std::string streamsSentence(const Report& report)
{
    if (!report.program.streams.several()) return {};
    std::vector<std::int64_t> nodes(static_cast<std::size_t>(report.program.streams.count()), 0);
    for (const NodeId node : report.program.graph->top().nodes) {
        if (!report.program.schedule.nodes[node.index()].empty())
            ++nodes[static_cast<std::size_t>(report.program.streams.of(node))];
    }
    std::string counts;
    for (std::size_t stream = 0; stream < nodes.size(); ++stream) {
        const std::string_view between = stream == 0 ? "" : stream + 1 == nodes.size() ? " and " : ", ";
        counts += std::string(between) + formatCount(nodes[stream]);
    }
    return countText(nodes.size()) + " streams of " + counts + " nodes, " +
           plural(report.program.streams.events.size(), "event");
}

} // namespace plimsoll
