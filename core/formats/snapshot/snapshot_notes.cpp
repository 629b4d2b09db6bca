#include "core/formats/snapshot/snapshot_notes.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

constexpr std::size_t MostNamed = 5; ///< Holes, and blocks at the peak.

/// "512 MiB (536,870,912 B)"
std::string exactly(std::int64_t bytes)
{
    const std::string text = formatBytes(bytes);
    const std::string count = formatCount(bytes) + " B";
    return text == count ? text : text + " (" + count + ")";
}

/// "1 block is", "2 blocks are"
std::string are(std::int64_t number, std::string_view noun)
{
    return plural(static_cast<std::size_t>(number), noun) + (number == 1 ? " is" : " are");
}

std::string atTime(std::int64_t time)
{
    return time == 0 ? "before the first event" : "at event " + formatCount(time);
}

class Notes
{
public:
    Notes(const DeviceSnapshot& snapshot, const SnapshotReplay& replay, SnapshotCallers& callers)
        : m_snapshot(snapshot), m_replay(replay), m_callers(callers)
    {
    }

    std::vector<std::string> run() &&
    {
        addSizes();
        addHoles();
        addHolders();
        addOrigin();
        addEnds();
        addDoubts();
        return std::move(m_notes);
    }

private:
    void add(std::string sentence) { m_notes.push_back(std::move(sentence)); }

    void addSizes()
    {
        const SnapshotMoment& alive = m_replay.mostAlive;
        const SnapshotMoment& reserved = m_replay.mostReserved;
        const std::string most = "At most " + exactly(alive.aliveBytes) + " are alive, " + atTime(alive.time);
        if (reserved.reservedBytes == 0)
            return add(most + ". The file has no segments, so nothing is known of what was reserved.");
        add(most + "; then " + formatBytes(alive.reservedBytes) + " are reserved. At most " +
            exactly(reserved.reservedBytes) + " are reserved, first " + atTime(reserved.time) + ".");
        std::int64_t height = 0;
        for (const Interval range : m_replay.addresses)
            height += range.length();
        if (height > reserved.reservedBytes) {
            add("The picture is " + formatBytes(height) +
                " high: all addresses that ever were in a segment, side by side; not all of them at one time.");
        }
    }

    void addHoles()
    {
        if (m_replay.holes.empty()) return;
        std::int64_t bytes = 0;
        for (const SnapshotHole& hole : m_replay.holes)
            bytes += hole.addresses.length();
        std::string text = "At the peak " + formatBytes(bytes) + " are free in " +
                           plural(m_replay.holes.size(), "hole") + ", the largest of ";
        for (std::size_t i = 0; i < std::min(m_replay.holes.size(), MostNamed); ++i) {
            const Interval hole = m_replay.holes[i].addresses;
            text += (i == 0 ? "" : ", ") + formatBytes(hole.length()) + " at " + addressText(hole.begin);
        }
        add(text + ".");
    }

    /// Who has the bytes at the peak, by the line that asked for them.
    void addHolders()
    {
        struct Share
        {
            std::int64_t bytes = 0;
            std::size_t blocks = 0;
        };
        std::map<std::string, Share> shares;
        for (const SnapshotLife& life : m_replay.lives) {
            if (!life.time.contains(m_replay.mostAlive.time)) continue;
            const std::string& name = m_callers.of(life.frames).name;
            Share& share = shares[name.empty() ? "unknown lines" : name];
            share = {share.bytes + life.bytes, share.blocks + 1};
        }
        std::vector<std::pair<std::string, Share>> largest(shares.begin(), shares.end());
        std::stable_sort(largest.begin(), largest.end(),
                         [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
        std::string text;
        for (std::size_t i = 0; i < std::min(largest.size(), MostNamed); ++i) {
            const auto& [name, share] = largest[i];
            text +=
                (i == 0 ? "" : "; ") + name + ": " + formatBytes(share.bytes) + " in " + plural(share.blocks, "block");
        }
        if (!text.empty()) add("Most of the peak is from " + text + ".");
    }

    void addOrigin()
    {
        std::string text = "This is what PyTorch's caching allocator did on " + deviceName(m_snapshot.device) + ": " +
                           plural(m_replay.lives.size(), "allocation");
        if (!m_snapshot.recorded || m_snapshot.events.empty()) {
            add(text + " that are there at one moment. No events were recorded, so nothing is known of their lives.");
        } else {
            add(text + " in " + plural(m_snapshot.events.size(), "event") +
                ". Event 1 happens at t=1; t=0 is what was there before. In a plan of it a step is an event that "
                "allocates: node 't=1' is event 1.");
        }
        if (m_snapshot.others.empty()) return;
        std::string others;
        for (const std::int64_t device : m_snapshot.others)
            others += (others.empty() ? "" : ", ") + deviceName(device);
        add("The file holds several devices; others are opened as FILE#NAME: " + others + ".");
    }

    void addEnds()
    {
        if (m_replay.before > 0 && !m_snapshot.events.empty()) {
            add(are(m_replay.before, "block") + " from before the first event (" + formatBytes(m_replay.beforeBytes) +
                ").");
        }
        if (m_replay.awaiting > 0) {
            add(are(m_replay.awaiting, "block") +
                " given up at the end, but not free: other streams may still use them.");
        }
    }

    void addDoubts()
    {
        if (m_replay.otherSizes > 0) {
            add(are(m_replay.otherSizes, "block") +
                " not as large as the allocator's rules would have it; blocks that were freed may not be either.");
        }
        if (m_snapshot.roundsToPowers)
            add("The allocator rounded to fractions of powers of two; blocks that were freed may be larger than told.");
        if (m_snapshot.unknownEvents > 0) {
            add(are(m_snapshot.unknownEvents, "event") + " of a kind that is not known here, and passed over.");
        }
        for (const std::string& fault : m_replay.faults)
            add("The file contradicts itself: " + fault);
        if (m_replay.faultsLeftOut > 0)
            add("It does so in " + plural(static_cast<std::size_t>(m_replay.faultsLeftOut), "more place") + ".");
    }

    const DeviceSnapshot& m_snapshot;
    const SnapshotReplay& m_replay;
    SnapshotCallers& m_callers;
    std::vector<std::string> m_notes;
};

} // namespace

std::vector<std::string> snapshotNotes(const DeviceSnapshot& snapshot, const SnapshotReplay& replay,
                                       SnapshotCallers& callers)
{
    return Notes(snapshot, replay, callers).run();
}

} // namespace plimsoll
