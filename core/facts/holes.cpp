#include "core/facts/holes.h"

#include "core/base/bytes.h"
#include "core/base/give_back.h"
#include "core/base/sort_by_key.h"
#include "core/facts/stream_waits.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace plimsoll {
namespace {

/// How many storages cover each byte of an arena, as runs of equal cover, while a sweep moves along the steps. A run
/// that is free and has something live above it is a hole; it is written down when it changes.
class Cover
{
public:
    Cover(ArenaId arena, std::vector<Hole>& holes) : m_arena(arena), m_holes(holes) { m_runs[0] = {}; }

    void change(Interval bytes, int by, std::int64_t step)
    {
        const std::int64_t top = m_runs.rbegin()->first; // nothing is alive above
        const auto first = runAt(bytes.begin);
        if (top < bytes.begin) std::prev(first)->second.since = step; // only now has it something above
        auto run = first;
        while (run->first < bytes.end) {
            auto next = std::next(run);
            if (next == m_runs.end() || next->first > bytes.end)
                next = m_runs.emplace_hint(next, bytes.end, run->second);
            if (run->second.count == 0 && run->first < top) close(run, step);
            run->second.count += by;
            run->second.since = step;
            run = next;
        }
        join(first, step);
        join(run, step);
    }

private:
    struct Run
    {
        int count = 0;
        std::int64_t since = 0;
    };
    using Runs = std::map<std::int64_t, Run>;

    /// The one that begins there; what the byte lies in is cut.
    Runs::iterator runAt(std::int64_t byte)
    {
        const auto after = m_runs.upper_bound(byte);
        const auto here = std::prev(after);
        return here->first == byte ? here : m_runs.emplace_hint(after, byte, here->second);
    }

    /// Makes one run of \p upper and what lies below, if both are covered alike.
    void join(Runs::iterator upper, std::int64_t step)
    {
        if (upper == m_runs.begin()) return;
        const auto lower = std::prev(upper);
        if (lower->second.count != upper->second.count) return;
        if (lower->second.since != upper->second.since && lower->second.count == 0) {
            close(lower, step);
            close(upper, step);
            lower->second.since = step;
        }
        m_runs.erase(upper);
    }

    void close(Runs::const_iterator run, std::int64_t step)
    {
        const auto next = std::next(run);
        if (next == m_runs.end() || run->second.since >= step) return;
        m_holes.push_back({m_arena, {run->second.since, step}, {run->first, next->first}});
    }

    ArenaId m_arena;
    std::vector<Hole>& m_holes;
    Runs m_runs; ///< The last run reaches upwards without end.
};

/// A storage is born or dies. Small: there are two for each, at the least.
struct Event
{
    std::int64_t step = 0;
    StorageId storage;
    bool dies = false;
};

/// What a storage keeps from others in its arena; nothing where it is in none.
Interval bytesOf(const PlannedProgram& program, const Storage& storage)
{
    if (!storage.arena.valid() || storage.arena.index() >= program.map.arenas.size() || storage.bytes <= 0) return {};
    const std::int64_t end = storage.offset + storage.bytes;
    return {storage.offset, checkedAlignUp(end, program.map.arenas[storage.arena.index()].alignment).value_or(end)};
}

/// Births before deaths, so that bytes handed over at a step are never free in between.
std::vector<Event> eventsOf(const PlannedProgram& program)
{
    std::vector<Event> events;
    events.reserve(2 * program.storages.size());
    const std::vector<StreamOrder::Wait> waits = storageWaits(program);
    for (std::size_t index = 0; index < program.storages.size(); ++index) {
        const Storage& storage = program.storages[index];
        if (bytesOf(program, storage).empty()) continue;
        LiveRanges held = storage.live;
        if (!waits.empty() && waits[index].until > 0) held.add({held.hull().end, waits[index].until});
        for (const Interval steps : held.intervals()) {
            events.push_back({steps.begin, StorageId(index), false});
            events.push_back({steps.end, StorageId(index), true});
        }
    }
    std::ranges::sort(events, {}, [](const Event& event) { return std::tuple(event.step, event.dies, event.storage); });
    return events;
}

} // namespace

std::vector<Hole> findHoles(const PlannedProgram& program, const Context& context)
{
    constexpr std::size_t LookEvery = 4096; // changes
    std::vector<Hole> holes;
    std::vector<Cover> covers;
    for (std::size_t arena = 0; arena < program.map.arenas.size(); ++arena)
        covers.emplace_back(ArenaId(arena), holes);
    std::vector<Event> events = eventsOf(program);
    holes.reserve(events.size()); // seldom more; what is not written takes no memory
    std::size_t changes = 0;
    for (const Event& event : events) {
        if (++changes % LookEvery == 0 && context.stopped()) break;
        const Storage& storage = program.storages[event.storage.index()];
        covers[storage.arena.index()].change(bytesOf(program, storage), event.dies ? -1 : 1, event.step);
    }
    giveBack(events);
    sortByKey(holes, [](const Hole& hole) { return -hole.area(); });
    return holes;
}

} // namespace plimsoll
