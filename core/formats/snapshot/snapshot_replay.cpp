#include "core/formats/snapshot/snapshot_replay.h"

#include "core/base/bytes.h"
#include "core/formats/snapshot/snapshot_segments.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

namespace plimsoll {
namespace {

using Kind = SnapshotEvent::Kind;

/// Of PyTorch's caching allocator, c10/cuda/CUDACachingAllocator.cpp.
constexpr std::int64_t LeastBlock = 512;
constexpr std::int64_t SmallRequest = std::int64_t {1} << 20;   ///< Up to this a request goes to the small blocks…
constexpr std::int64_t LeastLargeRest = std::int64_t {1} << 20; ///< …beyond, no rest up to this is split off.

constexpr std::size_t MostFaults = 20;
constexpr std::int64_t MostRefusals = 8;

Interval rangeOf(const SnapshotEvent& event)
{
    return {event.address, event.address + event.bytes};
}

/// What the events leave open, found in one pass: who was there before them and who is there at the end.
class Opening
{
public:
    /// A block that was allocated at \c event (its number; 0: before the record) and not freed yet.
    struct Place
    {
        bool open = false;
        std::int64_t event = 0;
    };

    explicit Opening(const DeviceSnapshot& snapshot)
    {
        for (std::size_t i = 0; i < snapshot.events.size(); ++i)
            take(snapshot.events[i], static_cast<std::int64_t>(i) + 1);
        for (const SnapshotSegment& segment : snapshot.segments) {
            for (const SnapshotBlock& block : segment.blocks)
                takeFinal(block);
        }
        std::sort(m_before.begin(), m_before.end(),
                  [](const SnapshotBlock& a, const SnapshotBlock& b) { return a.address < b.address; });
    }

    [[nodiscard]] const std::vector<SnapshotBlock>& before() const { return m_before; }
    /// The block of the final state that was allocated there and then, or null.
    [[nodiscard]] const SnapshotBlock* finalBlock(std::int64_t address, std::int64_t event) const
    {
        const auto found = m_final.find(address);
        if (found == m_final.end()) return nullptr;
        const auto place = m_places.find(address);
        return place->second.open && place->second.event == event ? found->second : nullptr;
    }
    /// In the final state, although its last event freed it.
    [[nodiscard]] const std::vector<std::int64_t>& revived() const { return m_revived; }

private:
    void take(const SnapshotEvent& event, std::int64_t number)
    {
        if (event.kind == Kind::Alloc) {
            m_places[event.address] = {true, number};
        } else if (event.kind == Kind::FreeRequested || event.kind == Kind::FreeCompleted) {
            Place& place = openOrBefore(event);
            if (event.kind == Kind::FreeCompleted) place.open = false;
        }
    }

    Place& openOrBefore(const SnapshotEvent& event)
    {
        const auto [place, isNew] = m_places.try_emplace(event.address, Place {true, 0});
        if (isNew) m_before.push_back({event.address, event.bytes, event.bytes, false, {}});
        return place->second;
    }

    void takeFinal(const SnapshotBlock& block)
    {
        const auto [place, isNew] = m_places.try_emplace(block.address, Place {true, 0});
        if (!place->second.open) {
            m_revived.push_back(block.address);
            return;
        }
        m_final[block.address] = &block;
        if (isNew) m_before.push_back(block);
    }

    std::unordered_map<std::int64_t, Place> m_places; ///< By address: how its last event left it.
    std::unordered_map<std::int64_t, const SnapshotBlock*> m_final;
    std::vector<SnapshotBlock> m_before; ///< Ascending; sizes of those that were freed are as asked for.
    std::vector<std::int64_t> m_revived;
};

/// Forwards through the events.
class Replayer
{
public:
    explicit Replayer(const DeviceSnapshot& snapshot) : m_snapshot(snapshot), m_opening(snapshot) {}

    Result<SnapshotReplay> run() &&
    {
        for (const SnapshotEvent& event : m_snapshot.events)
            m_made.refusals += event.kind == Kind::OutOfMemory ? 1 : 0;
        begin();
        for (const SnapshotEvent& event : m_snapshot.events) {
            ++m_time;
            step(event);
            weigh();
            if (m_tooMuch) break;
        }
        if (m_tooMuch)
            return Error {ErrorCode::BadInput, number() + ": more bytes are in use than 63 bits hold.", {}, {}};
        finish();
        findHolesAtPeak();
        gatherAddresses();
        return std::move(m_made);
    }

private:
    /// Segments as they were before the first event: the last ones, with every event undone.
    void begin()
    {
        for (const SnapshotSegment& segment : m_snapshot.segments) {
            if (!m_segments.add({segment.address, segment.address + segment.bytes}, segment.stream, segment.expandable))
                fault("The segment at " + addressText(segment.address) + " overlaps another one.");
        }
        m_time = static_cast<std::int64_t>(m_snapshot.events.size());
        for (auto event = m_snapshot.events.rbegin(); event != m_snapshot.events.rend(); ++event, --m_time)
            undo(*event);
        m_segmentsBefore = m_segments;
        for (const SnapshotBlock& block : m_opening.before()) {
            const SnapshotBlock* const known = m_opening.finalBlock(block.address, 0);
            const std::int64_t bytes = known != nullptr ? known->bytes : rounded(block.requested);
            beginLife(block.address, bytes, block.requested, known != nullptr ? known->frames : block.frames);
        }
        m_made.before = static_cast<std::int64_t>(m_made.lives.size());
        m_made.beforeBytes = m_aliveBytes;
        for (const std::int64_t address : m_opening.revived())
            fault("The block at " + addressText(address) + " is in use at the end, although its last event freed it.");
        m_made.mostAlive = m_made.mostReserved = now();
    }

    void undo(const SnapshotEvent& event)
    {
        const bool page = event.kind == Kind::SegmentMap || event.kind == Kind::SegmentUnmap;
        if (event.kind == Kind::SegmentAlloc || event.kind == Kind::SegmentMap) {
            const bool kept = m_segments.remove(rangeOf(event));
            if (!kept) fault(number() + " reserves " + addressText(event.address) + ", which is not there afterwards.");
        } else if (event.kind == Kind::SegmentFree || event.kind == Kind::SegmentUnmap) {
            const bool gone = m_segments.add(rangeOf(event), event.stream, page);
            if (!gone) fault(number() + " gives back " + addressText(event.address) + ", which is there afterwards.");
        }
    }

    void step(const SnapshotEvent& event)
    {
        switch (event.kind) {
        case Kind::Alloc:
            return allocate(event);
        case Kind::FreeRequested:
            return giveUp(event);
        case Kind::FreeCompleted:
            return free(event);
        case Kind::OutOfMemory:
            return refuse(event);
        default:
            return moveSegments(event);
        }
    }

    void moveSegments(const SnapshotEvent& event)
    {
        if (event.kind == Kind::SegmentAlloc || event.kind == Kind::SegmentMap)
            m_segments.add(rangeOf(event), event.stream, event.kind == Kind::SegmentMap);
        if (event.kind == Kind::SegmentFree || event.kind == Kind::SegmentUnmap) m_segments.remove(rangeOf(event));
    }

    void allocate(const SnapshotEvent& event)
    {
        const std::int64_t computed = blockBytes(event);
        const SnapshotBlock* const known = m_opening.finalBlock(event.address, m_time);
        if (known != nullptr && known->bytes != computed) ++m_made.otherSizes;
        const std::int64_t bytes = known != nullptr ? known->bytes : computed;
        checkPlace(event.address, bytes);
        beginLife(event.address, bytes, event.bytes, event.frames);
    }

    /// A block is what was asked for in 512ths, and all up to its neighbour where the rest is not worth splitting off.
    [[nodiscard]] std::int64_t blockBytes(const SnapshotEvent& event) const
    {
        const std::int64_t bytes = rounded(event.bytes);
        const auto segment = m_segments.find(event.address);
        if (segment == m_segments.byBegin().end()) return bytes;
        const auto next = m_alive.upper_bound(event.address);
        const std::int64_t limit =
            next == m_alive.end() ? segment->second.end : std::min(segment->second.end, next->first);
        const std::int64_t rest = limit - event.address - bytes;
        if (rest <= 0) return bytes;
        const bool finely = bytes <= SmallRequest || segment->second.expandable;
        const bool whole = m_snapshot.mostSplitBytes > 0 && bytes >= m_snapshot.mostSplitBytes;
        const bool splits = finely ? rest >= LeastBlock : rest > LeastLargeRest && !whole;
        return splits ? bytes : bytes + rest;
    }

    /// Sizes are far below 63 bits with any address: that was checked where they were read.
    [[nodiscard]] static std::int64_t rounded(std::int64_t requested)
    {
        return std::max(LeastBlock, checkedAlignUp(requested, LeastBlock).value_or(requested));
    }

    void checkPlace(std::int64_t address, std::int64_t bytes)
    {
        const auto next = m_alive.lower_bound(address);
        const bool meetsNext = next != m_alive.end() && next->first < address + bytes;
        const bool meetsBefore = next != m_alive.begin() && endOf(std::prev(next)->second) > address;
        if (meetsNext || meetsBefore)
            fault(number() + " allocates " + addressText(address) + " over bytes that are in use.");
        const auto segment = m_segments.find(address);
        const bool inside = segment != m_segments.byBegin().end() && address + bytes <= segment->second.end;
        if (!inside && knowsSegments())
            fault(number() + " allocates " + addressText(address) + " outside of any segment.");
    }

    /// What was made of a profile has none.
    [[nodiscard]] bool knowsSegments() const { return m_segments.bytes() > 0 || m_segmentsBefore.bytes() > 0; }

    [[nodiscard]] std::int64_t endOf(std::size_t life) const
    {
        return m_made.lives[life].address + m_made.lives[life].bytes;
    }

    void beginLife(std::int64_t address, std::int64_t bytes, std::int64_t requested, PlainData::Item frames)
    {
        m_alive[address] = m_made.lives.size();
        m_made.lives.push_back({address, bytes, requested, {m_time, m_time}, frames});
        const auto sum = checkedAdd(m_aliveBytes, bytes);
        m_tooMuch = m_tooMuch || !sum;
        m_aliveBytes = sum.value_or(m_aliveBytes);
    }

    void giveUp(const SnapshotEvent& event)
    {
        const auto found = m_alive.find(event.address);
        if (found == m_alive.end())
            return fault(number() + " gives up " + addressText(event.address) + ", which is free.");
        m_awaiting[event.address] = m_made.lives[found->second].bytes;
    }

    void free(const SnapshotEvent& event)
    {
        const auto found = m_alive.find(event.address);
        if (found == m_alive.end())
            return fault(number() + " frees " + addressText(event.address) + ", which is free.");
        SnapshotLife& life = m_made.lives[found->second];
        if (life.requested != event.bytes && life.bytes != event.bytes) {
            fault(number() + " frees " + formatCount(event.bytes) + " B at " + addressText(event.address) +
                  ", of which " + formatCount(life.requested) + " B were asked for.");
        }
        life.time.end = m_time;
        m_aliveBytes -= life.bytes;
        m_alive.erase(found);
        m_awaiting.erase(event.address);
    }

    void refuse(const SnapshotEvent& event)
    {
        if (++m_refused <= m_made.refusals - MostRefusals) return;
        SnapshotRefusal refusal;
        refusal.moment = now();
        refusal.bytes = event.bytes;
        refusal.stream = event.stream;
        refusal.deviceFreeBytes = event.address;
        refusal.frames = event.frames;
        for (const auto& [address, bytes] : m_awaiting)
            refusal.awaitingBytes += bytes;
        for (const SnapshotHole& hole : holes()) {
            refusal.holeBytes += hole.addresses.length();
            if (hole.stream != event.stream) refusal.foreignBytes += hole.addresses.length();
            if (hole.stream == event.stream && longer(hole, refusal.largest)) refusal.largest = hole;
        }
        m_made.refused.push_back(refusal);
    }

    static bool longer(const SnapshotHole& hole, const std::optional<SnapshotHole>& other)
    {
        return !other || hole.addresses.length() > other->addresses.length();
    }

    /// Ascending.
    [[nodiscard]] std::vector<SnapshotHole> holes() const
    {
        std::vector<SnapshotHole> found;
        for (const auto& [begin, segment] : m_segments.byBegin()) {
            std::int64_t from = begin;
            const auto add = [&, stream = segment.stream](std::int64_t to) {
                if (to > from) found.push_back({{from, to}, stream});
            };
            auto block = m_alive.lower_bound(begin);
            if (block != m_alive.begin()) from = std::max(from, endOf(std::prev(block)->second));
            for (; block != m_alive.end() && block->first < segment.end; ++block) {
                add(block->first);
                from = std::max(from, endOf(block->second));
            }
            add(segment.end);
        }
        return found;
    }

    [[nodiscard]] SnapshotMoment now() const { return {m_time, m_aliveBytes, m_segments.bytes()}; }

    void weigh()
    {
        if (m_aliveBytes > m_made.mostAlive.aliveBytes) m_made.mostAlive = now();
        if (m_segments.bytes() > m_made.mostReserved.reservedBytes) m_made.mostReserved = now();
    }

    void finish()
    {
        for (SnapshotLife& life : m_made.lives) {
            if (life.time.end == life.time.begin) life.time.end = m_time + 1;
        }
        countAwaiting();
    }

    /// Requests to free that were recorded, and blocks whose request came before the record.
    void countAwaiting()
    {
        m_made.awaiting = static_cast<std::int64_t>(m_awaiting.size());
        for (const SnapshotSegment& segment : m_snapshot.segments) {
            for (const SnapshotBlock& block : segment.blocks)
                m_made.awaiting += block.awaitsFree && !m_awaiting.contains(block.address) ? 1 : 0;
        }
    }

    /// Goes back there: blocks from their lives, segments through their events.
    void findHolesAtPeak()
    {
        const std::int64_t peak = m_made.mostAlive.time;
        m_alive.clear();
        for (std::size_t life = 0; life < m_made.lives.size(); ++life) {
            if (m_made.lives[life].time.contains(peak)) m_alive[m_made.lives[life].address] = life;
        }
        m_segments = m_segmentsBefore;
        for (const SnapshotEvent& event : std::span(m_snapshot.events).first(static_cast<std::size_t>(peak)))
            moveSegments(event);
        m_made.holes = holes();
        std::stable_sort(m_made.holes.begin(), m_made.holes.end(), [](const SnapshotHole& a, const SnapshotHole& b) {
            return a.addresses.length() > b.addresses.length();
        });
    }

    void gatherAddresses()
    {
        std::vector<Interval> all;
        for (const SnapshotSegment& segment : m_snapshot.segments)
            all.push_back({segment.address, segment.address + segment.bytes});
        for (const SnapshotEvent& event : m_snapshot.events) {
            if (event.kind >= Kind::SegmentAlloc && event.kind <= Kind::SegmentUnmap) all.push_back(rangeOf(event));
        }
        for (const SnapshotLife& life : m_made.lives)
            all.push_back({life.address, life.address + life.bytes});
        std::sort(all.begin(), all.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
        for (const Interval range : all) {
            if (range.empty()) continue;
            auto& ranges = m_made.addresses;
            if (ranges.empty() || range.begin > ranges.back().end) ranges.push_back(range);
            ranges.back().end = std::max(ranges.back().end, range.end);
        }
    }

    void fault(std::string sentence)
    {
        if (m_made.faults.size() < MostFaults) {
            m_made.faults.push_back(std::move(sentence));
        } else {
            ++m_made.faultsLeftOut;
        }
    }

    [[nodiscard]] std::string number() const { return "Event " + formatCount(m_time); }

    const DeviceSnapshot& m_snapshot;
    Opening m_opening;
    SnapshotSegments m_segmentsBefore;
    SnapshotSegments m_segments;
    std::map<std::int64_t, std::size_t> m_alive; ///< Address → the life there, the last where there are several.
    std::unordered_map<std::int64_t, std::int64_t> m_awaiting; ///< Address → bytes that were given up.
    std::int64_t m_aliveBytes = 0;
    std::int64_t m_refused = 0;
    std::int64_t m_time = 0;
    bool m_tooMuch = false;
    SnapshotReplay m_made;
};

} // namespace

Result<SnapshotReplay> replaySnapshot(const DeviceSnapshot& snapshot)
{
    return Replayer(snapshot).run();
}

} // namespace plimsoll
