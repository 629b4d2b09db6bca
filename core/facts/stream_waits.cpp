#include "core/facts/stream_waits.h"

namespace plimsoll {

std::vector<StreamOrder::Wait> storageWaits(const Report& report)
{
    std::vector<StreamOrder::Wait> waits(report.program.storages.size());
    if (!report.program.streams.several()) return waits;
    const StreamOrder order(*report.program.graph, report.program.schedule, report.program.streams);
    const auto accesses = findUsers(*report.program.graph, report.program.schedule);
    for (std::size_t index = 0; index < waits.size(); ++index) {
        const Storage& storage = report.program.storages[index];
        if (!storage.arena.valid()) continue;
        std::vector<NodeId> users;
        if (storage.scratchOf.valid()) users.push_back(storage.scratchOf);
        for (const ValueId value : storage.values)
            users.insert(users.end(), accesses[value.index()].begin(), accesses[value.index()].end());
        const StreamOrder::Wait wait = order.latestWait(users);
        if (wait.until > storage.live.hull().end) waits[index] = wait;
    }
    return waits;
}

} // namespace plimsoll
