#include "core/formats/snapshot/snapshot_notes.h"

#include "core/formats/snapshot/allocator_record.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>

namespace plimsoll {
namespace {

constexpr std::size_t MostNamed = 5; ///< Holes, and blocks at the peak.

Message atTime(std::int64_t time)
{
    return time == 0 ? say("snapshot.before-events") : say("snapshot.at-event", time);
}

std::vector<Message> sizeNotes(const SnapshotReplay& replay, std::int64_t height)
{
    const SnapshotMoment& alive = replay.mostAlive;
    const SnapshotMoment& reserved = replay.mostReserved;
    if (reserved.reservedBytes == 0)
        return {say("note.snapshot-alive", exactBytes(alive.aliveBytes), atTime(alive.time))};
    std::vector<Message> notes = {say("note.snapshot-reserved", exactBytes(alive.aliveBytes), atTime(alive.time),
                                      word::Size {alive.reservedBytes}, exactBytes(reserved.reservedBytes),
                                      atTime(reserved.time))};
    if (height > reserved.reservedBytes) notes.push_back(say("note.snapshot-height", word::Size {height}));
    return notes;
}

/// What has the bytes at the peak, by the line that asked for them; empty where nothing has.
Message holderNote(const SnapshotReplay& replay, SnapshotCallers& callers)
{
    struct Share
    {
        std::int64_t bytes = 0;
        std::size_t blocks = 0;
    };
    std::map<std::string, Share> shares;
    for (const SnapshotLife& life : replay.lives) {
        if (!life.time.contains(replay.mostAlive.time)) continue;
        Share& share = shares[callers.of(life.frames).name];
        share = {share.bytes + life.bytes, share.blocks + 1};
    }
    std::vector<std::pair<std::string, Share>> largest(shares.begin(), shares.end());
    std::ranges::stable_sort(largest, std::greater(), [](const auto& one) { return one.second.bytes; });
    word::List holders {.items = {}, .more = 0, .joint = word::List::Joint::Semicolon};
    for (const auto& [name, share] : std::span(largest).first(std::min(largest.size(), MostNamed))) {
        Argument line = name.empty() ? Argument(say("snapshot.unknown-lines")) : Argument(name);
        holders.items.emplace_back(say("snapshot.share", std::move(line), word::Size {share.bytes}, share.blocks));
    }
    return holders.items.empty() ? Message() : say("note.snapshot-holders", std::move(holders));
}

} // namespace

std::vector<Message> snapshotNotes(const DeviceSnapshot& snapshot, const SnapshotReplay& replay,
                                   SnapshotCallers& callers, std::int64_t height)
{
    std::vector<Message> notes = sizeNotes(replay, height);
    if (!replay.holes.empty()) {
        std::int64_t bytes = 0;
        for (const SnapshotHole& hole : replay.holes)
            bytes += hole.addresses.length();
        word::List largest;
        for (const SnapshotHole& hole : std::span(replay.holes).first(std::min(replay.holes.size(), MostNamed)))
            largest.items.emplace_back(
                say("snapshot.size-at", word::Size {hole.addresses.length()}, addressText(hole.addresses.begin)));
        notes.push_back(say("note.snapshot-holes", word::Size {bytes}, replay.holes.size(), std::move(largest)));
    }
    if (Message holders = holderNote(replay, callers); !holders.empty()) notes.push_back(std::move(holders));
    const std::string device = deviceName(snapshot.device);
    if (snapshot.recorded && !snapshot.events.empty())
        notes.push_back(say("note.snapshot-events", device, replay.lives.size(), snapshot.events.size()));
    else
        notes.push_back(say("note.snapshot-state", device, replay.lives.size()));
    if (!snapshot.others.empty())
        notes.push_back(say("note.snapshot-devices", allOf(snapshot.others, deviceName, word::List::Joint::Comma)));
    if (replay.before > 0 && !snapshot.events.empty())
        notes.push_back(say("note.snapshot-before", replay.before, word::Size {replay.beforeBytes}));
    if (replay.awaiting > 0) notes.push_back(say("note.snapshot-awaiting", replay.awaiting));
    if (replay.otherSizes > 0) notes.push_back(say("note.snapshot-other-sizes", replay.otherSizes));
    if (snapshot.roundsToPowers) notes.push_back(say("note.snapshot-rounded"));
    if (snapshot.unknownEvents > 0) notes.push_back(say("note.snapshot-unknown-events", snapshot.unknownEvents));
    for (const Message& fault : replay.faults)
        notes.push_back(say("note.snapshot-fault", fault));
    if (replay.faultsLeftOut > 0) notes.push_back(say("note.snapshot-more-faults", replay.faultsLeftOut));
    return notes;
}

} // namespace plimsoll
