#include "core/formats/snapshot/snapshot_table.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/formats/snapshot/pickle_reader.h"
#include "core/formats/snapshot/plain_json.h"
#include "core/formats/snapshot/snapshot_notes.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Addresses side by side.
class Axis
{
public:
    explicit Axis(const std::vector<Interval>& addresses) : m_addresses(addresses)
    {
        for (const Interval range : addresses) {
            m_offsets.push_back(m_height);
            m_height += range.length();
        }
    }

    /// Of an address that is on it.
    [[nodiscard]] std::int64_t offset(std::int64_t address) const
    {
        const auto after = std::upper_bound(m_addresses.begin(), m_addresses.end(), address,
                                            [](std::int64_t value, Interval range) { return value < range.begin; });
        const auto index = static_cast<std::size_t>(after - m_addresses.begin()) - 1;
        return m_offsets[index] + (address - m_addresses[index].begin);
    }

private:
    const std::vector<Interval>& m_addresses; ///< Ascending, apart.
    std::vector<std::int64_t> m_offsets;
    std::int64_t m_height = 0; ///< At most 62 bits, as addresses are.
};

PackingTable tableOf(const SnapshotReplay& replay, SnapshotCallers& callers, std::string device)
{
    PackingTable table;
    const std::size_t count = replay.lives.size();
    table.problem.arenas = {{std::move(device), 1, {}}};
    table.problem.buffers.reserve(count);
    table.ids.reserve(count);
    table.offsets.reserve(count);
    table.sources.reserve(count);
    table.requested.reserve(count);
    const Axis axis(replay.addresses);
    std::unordered_map<std::string, std::int64_t> named; // how many so far
    for (const SnapshotLife& life : replay.lives) {
        const SnapshotCaller& caller = callers.of(life.frames);
        const std::string name = caller.name.empty() ? addressText(life.address) : caller.name;
        Buffer& buffer = table.problem.buffers.emplace_back();
        buffer.bytes = life.bytes;
        buffer.live = LiveRanges(life.time);
        table.ids.push_back(name + " " + std::to_string(++named[name]));
        table.offsets.emplace_back(axis.offset(life.address));
        table.sources.push_back(caller.source);
        table.requested.push_back(life.requested);
    }
    return table;
}

std::int64_t heightOf(const PackingTable& table)
{
    std::int64_t height = 0;
    for (std::size_t row = 0; row < table.offsets.size(); ++row)
        height = std::max(height, checkedAdd(*table.offsets[row], table.problem.buffers[row].bytes).value_or(height));
    return height;
}

AllocatorRefusal refusalOf(const SnapshotRefusal& from, const Axis& axis, const SnapshotCallers& callers)
{
    AllocatorRefusal refusal;
    refusal.time = from.moment.time;
    refusal.requestBytes = from.bytes;
    refusal.aliveBytes = from.moment.aliveBytes;
    refusal.reservedBytes = from.moment.reservedBytes;
    refusal.freeBytes = from.holeBytes;
    refusal.foreignBytes = from.foreignBytes;
    refusal.awaitingBytes = from.awaitingBytes;
    refusal.deviceFreeBytes = from.deviceFreeBytes;
    refusal.frames = callers.listed(from.frames);
    if (!from.largest) return refusal;
    refusal.largestHoleBytes = from.largest->addresses.length();
    refusal.largestHoleOffset = axis.offset(from.largest->addresses.begin);
    return refusal;
}

AllocatorRecord recordOf(const DeviceSnapshot& snapshot, const SnapshotReplay& replay, const PackingTable& table,
                         const SnapshotCallers& callers)
{
    std::vector<AllocatorRefusal> refused;
    const Axis axis(replay.addresses);
    for (const SnapshotRefusal& refusal : replay.refused)
        refused.push_back(refusalOf(refusal, axis, callers));
    return {deviceName(snapshot.device),
            replay.mostReserved.reservedBytes,
            replay.mostReserved.time,
            replay.mostAlive.aliveBytes,
            replay.mostAlive.time,
            replay.mostAlive.reservedBytes,
            heightOf(table),
            replay.refusals,
            std::move(refused)};
}

} // namespace

Result<PackingTable> readSnapshotTable(std::string_view bytes, std::string_view wanted, std::size_t mostRows)
{
    PLIMSOLL_ASSIGN(plain, looksLikePickle(bytes) ? readPickle(bytes) : readPlainJson(bytes));
    PLIMSOLL_ASSIGN(snapshot, readDeviceSnapshot(plain.data, plain.root, wanted));
    PLIMSOLL_ASSIGN(replay, replaySnapshot(snapshot));
    if (replay.lives.size() > mostRows) return badInput(say("snapshot.too-many-rows", mostRows));
    SnapshotCallers callers(plain.data);
    PackingTable table = tableOf(replay, callers, deviceName(snapshot.device));
    table.notes = snapshotNotes(snapshot, replay, callers, heightOf(table));
    if (!snapshot.others.empty()) {
        table.tables.names = {deviceName(snapshot.device)};
        std::ranges::transform(snapshot.others, std::back_inserter(table.tables.names), deviceName);
    }
    table.allocator = recordOf(snapshot, replay, table, callers);
    return table;
}

} // namespace plimsoll
