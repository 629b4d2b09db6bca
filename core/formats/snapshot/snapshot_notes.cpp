#include "core/formats/snapshot/snapshot_notes.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/formats/snapshot/allocator_record.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

constexpr std::size_t MostNamed = 5; ///< Holes, and blocks at the peak.

/// "1 block is", "2 blocks are"
std::string are(std::int64_t number, std::string_view noun)
{
    return plural(static_cast<std::size_t>(number), noun) + (number == 1 ? " is" : " are");
}

std::string atTime(std::int64_t time)
{
    return time == 0 ? "before the first event" : "at event " + formatCount(time);
}

std::vector<Message> sizeNotes(const SnapshotReplay& replay)
{
    const SnapshotMoment& alive = replay.mostAlive;
    const SnapshotMoment& reserved = replay.mostReserved;
    const std::string most = "At most " + exactBytes(alive.aliveBytes) + " are alive, " + atTime(alive.time);
    if (reserved.reservedBytes == 0)
        return {most + ". The file has no segments, so nothing is known of what was reserved."};
    std::vector<Message> notes = {most + "; then " + formatBytes(alive.reservedBytes) + " are reserved. At most " +
                                  exactBytes(reserved.reservedBytes) + " are reserved, first " + atTime(reserved.time) +
                                  "."};
    std::int64_t height = 0;
    for (const Interval range : replay.addresses)
        height += range.length();
    if (height > reserved.reservedBytes)
        notes.push_back("The picture is " + formatBytes(height) +
                        " high: all addresses that ever were in a segment, side by side; not all of them at one time.");
    return notes;
}

std::string holeNote(const std::vector<SnapshotHole>& holes)
{
    std::int64_t bytes = 0;
    for (const SnapshotHole& hole : holes)
        bytes += hole.addresses.length();
    std::string text =
        "At the peak " + formatBytes(bytes) + " are free in " + plural(holes.size(), "hole") + ", the largest of ";
    for (std::size_t i = 0; i < std::min(holes.size(), MostNamed); ++i) {
        const Interval hole = holes[i].addresses;
        text += (i == 0 ? "" : ", ") + formatBytes(hole.length()) + " at " + addressText(hole.begin);
    }
    return text + ".";
}

/// What has the bytes at the peak, by the line that asked for them; empty where nothing has.
std::string holderNote(const SnapshotReplay& replay, SnapshotCallers& callers)
{
    struct Share
    {
        std::int64_t bytes = 0;
        std::size_t blocks = 0;
    };
    std::map<std::string, Share> shares;
    for (const SnapshotLife& life : replay.lives) {
        if (!life.time.contains(replay.mostAlive.time)) continue;
        const std::string& name = callers.of(life.frames).name;
        Share& share = shares[name.empty() ? "unknown lines" : name];
        share = {share.bytes + life.bytes, share.blocks + 1};
    }
    std::vector<std::pair<std::string, Share>> largest(shares.begin(), shares.end());
    std::stable_sort(largest.begin(), largest.end(),
                     [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
    std::string text;
    for (std::size_t i = 0; i < std::min(largest.size(), MostNamed); ++i) {
        const auto& [name, share] = largest[i];
        text += (i == 0 ? "" : "; ") + name + ": " + formatBytes(share.bytes) + " in " + plural(share.blocks, "block");
    }
    return text.empty() ? text : "Most of the peak is from " + text + ".";
}

} // namespace

std::vector<Message> snapshotNotes(const DeviceSnapshot& snapshot, const SnapshotReplay& replay,
                                   SnapshotCallers& callers)
{
    std::vector<Message> notes = sizeNotes(replay);
    if (!replay.holes.empty()) notes.push_back(holeNote(replay.holes));
    if (std::string text = holderNote(replay, callers); !text.empty()) notes.push_back(std::move(text));
    const bool recorded = snapshot.recorded && !snapshot.events.empty();
    notes.push_back("This is what PyTorch's caching allocator did on " + deviceName(snapshot.device) + ": " +
                    plural(replay.lives.size(), "allocation") +
                    (recorded ? " in " + plural(snapshot.events.size(), "event") +
                                    ". Event 1 happens at t=1; t=0 is what was there before. In a plan of it a step is "
                                    "an event that allocates: node 't=1' is event 1."
                              : " that are there at one moment. No events were recorded, so nothing is known of their "
                                "lives."));
    std::string others;
    for (const std::int64_t device : snapshot.others)
        others += (others.empty() ? "" : ", ") + deviceName(device);
    if (!others.empty())
        notes.push_back("The file holds several devices; others are opened as FILE#NAME: " + others + ".");
    if (replay.before > 0 && !snapshot.events.empty())
        notes.push_back(are(replay.before, "block") + " from before the first event (" +
                        formatBytes(replay.beforeBytes) + ").");
    if (replay.awaiting > 0)
        notes.push_back(are(replay.awaiting, "block") +
                        " given up at the end, but not free: other streams may still use them.");
    if (replay.otherSizes > 0)
        notes.push_back(are(replay.otherSizes, "block") +
                        " not as large as the allocator's rules would have it; blocks that were freed may not be "
                        "either.");
    if (snapshot.roundsToPowers)
        notes.push_back(
            "The allocator rounded to fractions of powers of two; blocks that were freed may be larger than "
            "told.");
    if (snapshot.unknownEvents > 0)
        notes.push_back(are(snapshot.unknownEvents, "event") + " of a kind that is not known here, and passed over.");
    for (const std::string& fault : replay.faults)
        notes.push_back("The file contradicts itself: " + fault);
    if (replay.faultsLeftOut > 0)
        notes.push_back("It does so in " + plural(static_cast<std::size_t>(replay.faultsLeftOut), "more place") + ".");
    return notes;
}

} // namespace plimsoll
