#include "core/analysis/missing_waits.h"

#include "core/plan/program.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace plimsoll {

std::vector<StreamEvent> fewestEvents(const StreamOrder& order, const Schedule& schedule,
                                      std::vector<StreamEvent> needed)
{
    std::ranges::sort(needed, {}, [&](const StreamEvent& event) {
        return std::pair(schedule.stepOf(event.waiter), -schedule.stepOf(event.signal));
    });
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> waited; // by both streams: up to which step
    std::vector<StreamEvent> events;
    for (const StreamEvent& event : needed) {
        const auto streams = std::pair(order.streamOf(event.waiter), order.streamOf(event.signal));
        const std::int64_t step = schedule.stepOf(event.signal);
        const auto [known, isNew] = waited.emplace(streams, step);
        if (!isNew && known->second >= step) continue;
        known->second = step;
        events.push_back(event);
    }
    return events;
}

std::vector<MissingWait> missingWaits(const Program& program, const AliasSets& aliases)
{
    if (!program.streams.several()) return {};
    const Graph& graph = *program.graph;
    const StreamOrder order(graph, program.schedule, program.streams);
    const std::vector<std::vector<NodeId>> users = findUsers(graph, program.schedule);
    std::vector<std::vector<std::pair<NodeId, ValueId>>> writers(users.size()); // by root
    for (std::size_t i = 0; i < users.size(); ++i) {
        const NodeId maker = graph.values[i].producer;
        if (maker.valid() && !program.schedule.nodes[maker.index()].empty())
            writers[aliases.root[i].index()].emplace_back(order.topOf(maker), ValueId(i));
    }
    std::vector<StreamEvent> needed;
    std::map<std::pair<NodeId, NodeId>, ValueId> values;
    for (std::size_t i = 0; i < users.size(); ++i) {
        for (const auto& [writer, value] : writers[aliases.root[i].index()]) {
            for (const NodeId user : users[i]) {
                const bool behind = program.schedule.stepOf(writer) < program.schedule.stepOf(user);
                if (!behind || !order.unordered(writer, user)) continue;
                if (values.emplace(std::pair(writer, user), value).second) needed.push_back({writer, user});
            }
        }
    }
    std::vector<MissingWait> missing;
    for (const StreamEvent& event : fewestEvents(order, program.schedule, std::move(needed)))
        missing.push_back({event, values.at({event.signal, event.waiter})});
    return missing;
}

} // namespace plimsoll
