#include "core/facts/stream_waits.h"

#include "core/analysis/missing_waits.h"

namespace plimsoll {

bool knowsStreams(const PlannedProgram& program)
{
    return program.graph->file.format != "plimsoll.report/1";
}

std::vector<StreamOrder::Wait> storageWaits(const PlannedProgram& program)
{
    if (!program.streams.several()) return {};
    std::vector<StreamOrder::Wait> waits(program.storages.size());
    const StreamOrder order(*program.graph, program.schedule, program.streams);
    const auto accesses = findUsers(*program.graph, program.schedule);
    for (std::size_t index = 0; index < waits.size(); ++index) {
        const Storage& storage = program.storages[index];
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

std::vector<StreamEvent> missingEvents(const PlannedProgram& program, std::vector<StreamEvent> needed)
{
    if (!program.streams.several() || !knowsStreams(program)) return {};
    const StreamOrder order(*program.graph, program.schedule, program.streams);
    for (StreamEvent& event : needed)
        event = {order.topOf(event.signal), order.topOf(event.waiter)};
    std::erase_if(needed, [&](const StreamEvent& event) { return !order.unordered(event.signal, event.waiter); });
    return fewestEvents(order, program.schedule, std::move(needed));
}

NamedWaits namedWaits(const PlannedProgram& program)
{
    NamedWaits waits;
    for (const StreamEvent& event : program.streams.events)
        waits.emplace((*program.graph)[event.waiter].name, (*program.graph)[event.signal].name);
    return waits;
}

} // namespace plimsoll
