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

/// How its last event left the block at an address.
struct LastEvent
{
    bool open = false;      ///< Allocated, and not freed yet.
    std::int64_t event = 0; ///< That allocated it; 0: before the record.
};

/// What the events leave open: which blocks were there before them and which are at the end.
struct Opening
{
    std::unordered_map<std::int64_t, LastEvent> last; ///< By address.
    std::unordered_map<std::int64_t, const SnapshotBlock*> final;
    std::vector<SnapshotBlock> before; ///< Ascending; sizes of those that were freed are as asked for.
    std::vector<std::int64_t> revived; ///< In the final state, although its last event freed it.

    /// The block of the final state that was allocated there and then, or null.
    [[nodiscard]] const SnapshotBlock* finalBlock(std::int64_t address, std::int64_t event) const
    {
        const auto found = final.find(address);
        return found != final.end() && last.at(address).event == event ? found->second : nullptr;
    }
};

Opening openingOf(const DeviceSnapshot& snapshot)
{
    Opening made;
    std::int64_t number = 0;
    for (const SnapshotEvent& event : snapshot.events) {
        ++number;
        if (event.kind == Kind::Alloc) made.last[event.address] = {true, number};
        if (event.kind != Kind::FreeRequested && event.kind != Kind::FreeCompleted) continue;
        const auto [place, isNew] = made.last.try_emplace(event.address, LastEvent {true, 0});
        if (isNew) made.before.push_back({event.address, event.bytes, event.bytes, false, {}});
        if (event.kind == Kind::FreeCompleted) place->second.open = false;
    }
    for (const SnapshotSegment& segment : snapshot.segments) {
        for (const SnapshotBlock& block : segment.blocks) {
            const auto [place, isNew] = made.last.try_emplace(block.address, LastEvent {true, 0});
            if (place->second.open)
                made.final[block.address] = &block;
            else
                made.revived.push_back(block.address);
            if (isNew) made.before.push_back(block);
        }
    }
    std::ranges::sort(made.before, {}, &SnapshotBlock::address);
    return made;
}

/// What is reserved and in use at one moment.
struct Memory
{
    struct Block
    {
        std::int64_t end = 0;
        std::size_t life = 0;
    };
    SnapshotSegments segments;
    std::map<std::int64_t, Block> blocks; ///< By address; the last where several begin there.
};

/// Sizes are far below 63 bits with any address: that was checked where they were read.
std::int64_t rounded(std::int64_t requested)
{
    return std::max(LeastBlock, checkedAlignUp(requested, LeastBlock).value_or(requested));
}

void moveSegments(SnapshotSegments& segments, const SnapshotEvent& event)
{
    if (event.kind == Kind::SegmentAlloc || event.kind == Kind::SegmentMap)
        segments.add(rangeOf(event), event.stream, event.kind == Kind::SegmentMap);
    if (event.kind == Kind::SegmentFree || event.kind == Kind::SegmentUnmap) segments.remove(rangeOf(event));
}

/// A block is what was asked for in 512ths, and all up to its neighbour where the rest is not worth splitting off.
std::int64_t blockBytes(const Memory& memory, std::int64_t mostSplitBytes, const SnapshotEvent& event)
{
    const std::int64_t bytes = rounded(event.bytes);
    const auto segment = memory.segments.find(event.address);
    if (segment == memory.segments.byBegin().end()) return bytes;
    const auto next = memory.blocks.upper_bound(event.address);
    const std::int64_t limit =
        next == memory.blocks.end() ? segment->second.end : std::min(segment->second.end, next->first);
    const std::int64_t rest = limit - event.address - bytes;
    if (rest <= 0) return bytes;
    const bool finely = bytes <= SmallRequest || segment->second.expandable;
    const bool whole = mostSplitBytes > 0 && bytes >= mostSplitBytes;
    const bool splits = finely ? rest >= LeastBlock : rest > LeastLargeRest && !whole;
    return splits ? bytes : bytes + rest;
}

/// Ascending.
std::vector<SnapshotHole> holes(const Memory& memory)
{
    std::vector<SnapshotHole> found;
    for (const auto& [begin, segment] : memory.segments.byBegin()) {
        std::int64_t from = begin;
        const auto add = [&, stream = segment.stream](std::int64_t to) {
            if (to > from) found.push_back({{from, to}, stream});
        };
        auto block = memory.blocks.lower_bound(begin);
        if (block != memory.blocks.begin()) from = std::max(from, std::prev(block)->second.end);
        for (; block != memory.blocks.end() && block->first < segment.end; ++block) {
            add(block->first);
            from = std::max(from, block->second.end);
        }
        add(segment.end);
    }
    return found;
}

void addFault(SnapshotReplay& made, Message sentence)
{
    if (made.faults.size() < MostFaults)
        made.faults.push_back(std::move(sentence));
    else
        ++made.faultsLeftOut;
}

/// Segments as they were before the first event: the last ones, with every event undone.
SnapshotSegments segmentsBefore(const DeviceSnapshot& snapshot, SnapshotReplay& made)
{
    SnapshotSegments segments;
    for (const SnapshotSegment& segment : snapshot.segments) {
        if (!segments.add({segment.address, segment.address + segment.bytes}, segment.stream, segment.expandable))
            addFault(made, say("snapshot.segments-overlap", addressText(segment.address)));
    }
    auto time = static_cast<std::int64_t>(snapshot.events.size());
    for (auto event = snapshot.events.rbegin(); event != snapshot.events.rend(); ++event, --time) {
        const bool page = event->kind == Kind::SegmentMap || event->kind == Kind::SegmentUnmap;
        if (event->kind == Kind::SegmentAlloc || event->kind == Kind::SegmentMap) {
            if (!segments.remove(rangeOf(*event)))
                addFault(made, say("snapshot.reserves-nothing", time, addressText(event->address)));
        } else if (event->kind == Kind::SegmentFree || event->kind == Kind::SegmentUnmap) {
            if (!segments.add(rangeOf(*event), event->stream, page))
                addFault(made, say("snapshot.keeps-segment", time, addressText(event->address)));
        }
    }
    return segments;
}

/// At a time that is over: blocks from their lives, segments through their events. The largest comes first.
std::vector<SnapshotHole> holesAt(std::int64_t time, const DeviceSnapshot& snapshot, SnapshotSegments segmentsBefore,
                                  const std::vector<SnapshotLife>& lives)
{
    Memory memory {std::move(segmentsBefore), {}};
    for (std::size_t i = 0; i < lives.size(); ++i) {
        if (lives[i].time.contains(time)) memory.blocks[lives[i].address] = {lives[i].address + lives[i].bytes, i};
    }
    for (const SnapshotEvent& event : std::span(snapshot.events).first(static_cast<std::size_t>(time)))
        moveSegments(memory.segments, event);
    std::vector<SnapshotHole> found = holes(memory);
    std::stable_sort(found.begin(), found.end(), [](const SnapshotHole& a, const SnapshotHole& b) {
        return a.addresses.length() > b.addresses.length();
    });
    return found;
}

/// A request that the allocator could not meet, and what stood in the way.
SnapshotRefusal refusalOf(const SnapshotEvent& event, const Memory& memory)
{
    SnapshotRefusal refusal;
    refusal.bytes = event.bytes;
    refusal.stream = event.stream;
    refusal.deviceFreeBytes = event.address;
    refusal.frames = event.frames;
    for (const SnapshotHole& hole : holes(memory)) {
        const std::int64_t bytes = hole.addresses.length();
        refusal.holeBytes += bytes;
        if (hole.stream != event.stream)
            refusal.foreignBytes += bytes;
        else if (!refusal.largest || bytes > refusal.largest->addresses.length())
            refusal.largest = hole;
    }
    return refusal;
}

/// All that ever was in a segment or a block; ascending, apart.
std::vector<Interval> gatherAddresses(const DeviceSnapshot& snapshot, const std::vector<SnapshotLife>& lives)
{
    std::vector<Interval> all;
    for (const SnapshotSegment& segment : snapshot.segments)
        all.push_back({segment.address, segment.address + segment.bytes});
    for (const SnapshotEvent& event : snapshot.events) {
        if (event.kind >= Kind::SegmentAlloc && event.kind <= Kind::SegmentUnmap) all.push_back(rangeOf(event));
    }
    for (const SnapshotLife& life : lives)
        all.push_back({life.address, life.address + life.bytes});
    std::ranges::sort(all, {}, &Interval::begin);
    std::vector<Interval> ranges;
    for (const Interval range : all) {
        if (range.empty()) continue;
        if (ranges.empty() || range.begin > ranges.back().end) ranges.push_back(range);
        ranges.back().end = std::max(ranges.back().end, range.end);
    }
    return ranges;
}

/// Forwards through the events.
class Replayer
{
public:
    explicit Replayer(const DeviceSnapshot& snapshot) : m_snapshot(snapshot), m_opening(openingOf(snapshot)) {}

    Result<SnapshotReplay> run() &&
    {
        for (const SnapshotEvent& event : m_snapshot.events)
            m_made.refusals += event.kind == Kind::OutOfMemory ? 1 : 0;
        begin();
        for (const SnapshotEvent& event : m_snapshot.events) {
            ++m_time;
            step(event);
            if (m_aliveBytes > m_made.mostAlive.aliveBytes) m_made.mostAlive = now();
            if (m_memory.segments.bytes() > m_made.mostReserved.reservedBytes) m_made.mostReserved = now();
            if (m_tooMuch) break;
        }
        if (m_tooMuch) return badInput(say("snapshot.too-many-bytes", m_time));
        for (SnapshotLife& life : m_made.lives) {
            if (life.time.end == life.time.begin) life.time.end = m_time + 1;
        }
        // Requests to free that were recorded, and blocks whose request came before the record.
        m_made.awaiting = static_cast<std::int64_t>(m_awaiting.size());
        for (const SnapshotSegment& segment : m_snapshot.segments) {
            m_made.awaiting +=
                std::count_if(segment.blocks.begin(), segment.blocks.end(), [&](const SnapshotBlock& block) {
                    return block.awaitsFree && !m_awaiting.contains(block.address);
                });
        }
        m_made.holes = holesAt(m_made.mostAlive.time, m_snapshot, std::move(m_segmentsBefore), m_made.lives);
        m_made.addresses = gatherAddresses(m_snapshot, m_made.lives);
        return std::move(m_made);
    }

private:
    void begin()
    {
        m_segmentsBefore = m_memory.segments = segmentsBefore(m_snapshot, m_made);
        for (const SnapshotBlock& block : m_opening.before) {
            const SnapshotBlock* const known = m_opening.finalBlock(block.address, 0);
            const std::int64_t bytes = known != nullptr ? known->bytes : rounded(block.requested);
            beginLife(block.address, bytes, block.requested, known != nullptr ? known->frames : block.frames);
        }
        m_made.before = static_cast<std::int64_t>(m_made.lives.size());
        m_made.beforeBytes = m_aliveBytes;
        for (const std::int64_t address : m_opening.revived)
            addFault(m_made, say("snapshot.block-revived", addressText(address)));
        m_made.mostAlive = m_made.mostReserved = now();
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
            return moveSegments(m_memory.segments, event);
        }
    }

    void allocate(const SnapshotEvent& event)
    {
        const std::int64_t computed = blockBytes(m_memory, m_snapshot.mostSplitBytes, event);
        const SnapshotBlock* const known = m_opening.finalBlock(event.address, m_time);
        if (known != nullptr && known->bytes != computed) ++m_made.otherSizes;
        const std::int64_t bytes = known != nullptr ? known->bytes : computed;
        const std::int64_t address = event.address;
        const auto next = m_memory.blocks.lower_bound(address);
        const bool meetsNext = next != m_memory.blocks.end() && next->first < address + bytes;
        const bool meetsBefore = next != m_memory.blocks.begin() && std::prev(next)->second.end > address;
        if (meetsNext || meetsBefore) addFault(m_made, say("snapshot.allocates-used", m_time, addressText(address)));
        const auto segment = m_memory.segments.find(address);
        const bool inside = segment != m_memory.segments.byBegin().end() && address + bytes <= segment->second.end;
        // What was made of a profile has no segments.
        if (!inside && (m_memory.segments.bytes() > 0 || m_segmentsBefore.bytes() > 0))
            addFault(m_made, say("snapshot.allocates-outside", m_time, addressText(address)));
        beginLife(address, bytes, event.bytes, event.frames);
    }

    void beginLife(std::int64_t address, std::int64_t bytes, std::int64_t requested, PlainData::Item frames)
    {
        m_memory.blocks[address] = {address + bytes, m_made.lives.size()};
        m_made.lives.push_back({address, bytes, requested, {m_time, m_time}, frames});
        const auto sum = checkedAdd(m_aliveBytes, bytes);
        m_tooMuch = m_tooMuch || !sum;
        m_aliveBytes = sum.value_or(m_aliveBytes);
    }

    void refuse(const SnapshotEvent& event)
    {
        if (++m_refused <= m_made.refusals - MostRefusals) return;
        m_made.refused.push_back(refusalOf(event, m_memory));
        m_made.refused.back().moment = now();
        for (const auto& [address, bytes] : m_awaiting)
            m_made.refused.back().awaitingBytes += bytes;
    }

    void giveUp(const SnapshotEvent& event)
    {
        const auto found = m_memory.blocks.find(event.address);
        if (found == m_memory.blocks.end())
            return addFault(m_made, say("snapshot.gives-up-free", m_time, addressText(event.address)));
        m_awaiting[event.address] = m_made.lives[found->second.life].bytes;
    }

    void free(const SnapshotEvent& event)
    {
        const auto found = m_memory.blocks.find(event.address);
        if (found == m_memory.blocks.end())
            return addFault(m_made, say("snapshot.frees-free", m_time, addressText(event.address)));
        SnapshotLife& life = m_made.lives[found->second.life];
        if (life.requested != event.bytes && life.bytes != event.bytes) {
            addFault(m_made,
                     say("snapshot.frees-other-size", m_time, event.bytes, addressText(event.address), life.requested));
        }
        life.time.end = m_time;
        m_aliveBytes -= life.bytes;
        m_memory.blocks.erase(found);
        m_awaiting.erase(event.address);
    }

    [[nodiscard]] SnapshotMoment now() const { return {m_time, m_aliveBytes, m_memory.segments.bytes()}; }

    const DeviceSnapshot& m_snapshot;
    Opening m_opening;
    SnapshotSegments m_segmentsBefore;
    Memory m_memory;
    std::unordered_map<std::int64_t, std::int64_t> m_awaiting; ///< Address → bytes that were given up.
    std::int64_t m_aliveBytes = 0;
    std::int64_t m_refused = 0; ///< Requests, so far.
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
