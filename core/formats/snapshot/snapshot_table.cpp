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

class TableMaker
{
public:
    TableMaker(const SnapshotReplay& replay, SnapshotCallers& callers, std::string device)
        : m_replay(replay), m_callers(callers), m_axis(replay.addresses)
    {
        m_table.problem.arenas = {{std::move(device), 1, {}}};
    }

    PackingTable run() &&
    {
        const std::size_t count = m_replay.lives.size();
        m_table.problem.buffers.reserve(count);
        m_table.ids.reserve(count);
        m_table.offsets.reserve(count);
        m_table.sources.reserve(count);
        m_table.requested.reserve(count);
        for (const SnapshotLife& life : m_replay.lives)
            addRow(life);
        return std::move(m_table);
    }

private:
    void addRow(const SnapshotLife& life)
    {
        const SnapshotCaller& caller = m_callers.of(life.frames);
        const std::string name = caller.name.empty() ? addressText(life.address) : caller.name;
        Buffer buffer;
        buffer.bytes = life.bytes;
        buffer.live = LiveRanges(life.time);
        m_table.problem.buffers.push_back(std::move(buffer));
        m_table.ids.push_back(name + " " + std::to_string(++m_named[name]));
        m_table.offsets.emplace_back(m_axis.offset(life.address));
        m_table.sources.push_back(caller.source);
        m_table.requested.push_back(life.requested);
    }

    const SnapshotReplay& m_replay;
    SnapshotCallers& m_callers;
    Axis m_axis;
    std::unordered_map<std::string, std::int64_t> m_named; ///< How many so far.
    PackingTable m_table;
};

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

Error tooManyRows(std::size_t most)
{
    return {ErrorCode::BadInput,
            "The snapshot has more than " + countText(most) +
                " allocations; allow more rows, or record fewer events (max_entries).",
            {},
            {}};
}

} // namespace

Result<PackingTable> readSnapshotTable(std::string_view bytes, std::string_view wanted, std::size_t mostRows)
{
    PLIMSOLL_ASSIGN(plain, looksLikePickle(bytes) ? readPickle(bytes) : readPlainJson(bytes));
    PLIMSOLL_ASSIGN(snapshot, readDeviceSnapshot(plain.data, plain.root, wanted));
    PLIMSOLL_ASSIGN(replay, replaySnapshot(snapshot));
    if (replay.lives.size() > mostRows) return tooManyRows(mostRows);
    SnapshotCallers callers(plain.data);
    PackingTable table = TableMaker(replay, callers, deviceName(snapshot.device)).run();
    const std::vector<std::string> notes = snapshotNotes(snapshot, replay, callers);
    table.notes.assign(notes.begin(), notes.end());
    table.allocator = recordOf(snapshot, replay, table, callers);
    return table;
}

} // namespace plimsoll
