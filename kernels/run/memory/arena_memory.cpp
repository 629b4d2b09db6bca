#include "kernels/run/memory/arena_memory.h"

#include "core/base/bytes.h"
#include "kernels/run/memory/host_memory.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace plimsoll::kernels {
namespace {

constexpr std::align_val_t MemoryAlignment {4096};
constexpr int PoisonByte = 0xA5;
constexpr int GuardByte = 0xC3;

std::shared_ptr<std::byte> allocate(std::int64_t bytes)
{
    void* memory = ::operator new(static_cast<std::size_t>(bytes), MemoryAlignment, std::nothrow);
    if (!memory) return nullptr;
    return {static_cast<std::byte*>(memory), [](std::byte* m) { ::operator delete(m, MemoryAlignment); }};
}

Error cannotHold(const PlannedArena& arena)
{
    return {
        ErrorCode::Unsupported, say("memory.large-arena", word::Name {arena.space}, word::Size {arena.bytes}), {}, {}};
}

bool isGuard(std::byte b)
{
    return b == std::byte {GuardByte};
}

} // namespace

Result<ArenaMemory::Region> ArenaMemory::reserve(const PlannedArena& arena, Device* device)
{
    Region region;
    region.device = device;
    region.space = arena.space;
    region.bytes = arena.bytes;
    region.alignment = std::max<std::int64_t>(arena.alignment, 1);
    if (device) {
        PLIMSOLL_ASSIGN(block, device->reserve(arena.bytes + 2 * GuardBytes));
        region.memory = block.data;
        region.owner = std::move(block.owner);
        return region;
    }
    if (arena.bytes > machineMemory()) return cannotHold(arena);
    const std::shared_ptr<std::byte> memory = allocate(arena.bytes + 2 * GuardBytes);
    if (!memory) return cannotHold(arena);
    region.memory = memory.get();
    region.owner = memory;
    return region;
}

Result<ArenaMemory> ArenaMemory::create(const std::vector<PlannedArena>& arenas, const DeviceSpaces& spaces,
                                        bool poison)
{
    ArenaMemory result;
    if (poison) result.m_watched = RunResult::Watched {};
    for (const auto& [space, device] : spaces.devices())
        result.m_reserved[space] = {device.get(), device->heldBytes(), 0, device->freeBytes()};
    for (const PlannedArena& arena : arenas) {
        if (arena.bytes < 0) return Error {ErrorCode::BadInput, say("memory.negative-arena"), {}, {}};
        PLIMSOLL_ASSIGN(region, reserve(arena, spaces.of(arena.space)));
        result.fill(region.device, region.memory, GuardBytes, GuardByte);
        result.fill(region.device, region.memory + GuardBytes, arena.bytes, PoisonByte);
        result.fill(region.device, region.memory + GuardBytes + arena.bytes, GuardBytes, GuardByte);
        for (const ReservedBytes& one : arena.reserved) {
            const Interval inside = intersection(one.bytes, {0, arena.bytes});
            if (inside.empty() || std::ranges::find(region.reserved, inside) != region.reserved.end()) continue;
            result.fill(region.device, region.memory + GuardBytes + inside.begin, inside.length(), GuardByte);
            region.reserved.push_back(inside);
        }
        if (poison) result.m_watched->poisonedBytes += arena.bytes;
        if (poison) result.m_watched->zones += 2 + std::ssize(region.reserved);
        result.m_regions.push_back(std::move(region));
    }
    PLIMSOLL_TRY(result.m_health);
    for (auto& [space, reserved] : result.m_reserved)
        reserved.bytes = reserved.device->heldBytes() - reserved.before;
    return result;
}

void ArenaMemory::fill(Device* device, std::byte* first, std::int64_t bytes, int pattern)
{
    if (!device) {
        std::memset(first, pattern, static_cast<std::size_t>(bytes));
        return;
    }
    const Status filled = device->fill(first, bytes, std::byte(pattern));
    if (m_health.ok()) m_health = filled;
}

std::byte* ArenaMemory::at(ArenaId arena, std::int64_t offset) const
{
    return m_regions[arena.index()].memory + GuardBytes + offset;
}

std::int64_t ArenaMemory::arenaBytes(ArenaId arena) const
{
    return m_regions[arena.index()].bytes;
}

void ArenaMemory::touch(ArenaId arena, std::int64_t offset, std::int64_t bytes)
{
    Region& region = m_regions[arena.index()];
    const auto rounded = checkedAlignUp(bytes, region.alignment).value_or(bytes);
    region.touched = std::max(region.touched, offset + rounded);
}

std::int64_t ArenaMemory::touchedBytes() const
{
    std::int64_t sum = 0;
    for (const Region& region : m_regions)
        sum += region.touched;
    return sum;
}

std::map<std::string, std::int64_t> ArenaMemory::touchedBySpace() const
{
    std::map<std::string, std::int64_t> bytes;
    for (const Region& region : m_regions)
        bytes[region.space] += region.touched;
    return bytes;
}

void ArenaMemory::poison(ArenaId arena, Interval bytes)
{
    const Interval inside = intersection(bytes, {0, arenaBytes(arena)});
    if (!inside.empty()) poison(m_regions[arena.index()].device, at(arena, inside.begin), inside.length());
}

void ArenaMemory::poison(Device* device, std::byte* first, std::int64_t bytes)
{
    if (!m_watched) return;
    fill(device, first, bytes, PoisonByte);
    m_watched->poisonedBytes += bytes;
}

/// The bytes of a zone, counted from the arena's begin, those of a device in \p room; empty where the device says that
/// they are as they were.
std::span<const std::byte> ArenaMemory::guardOf(const Region& region, Interval bytes, std::vector<std::byte>& room)
{
    const std::byte* const guard = region.memory + GuardBytes + bytes.begin;
    if (!region.device) return {guard, static_cast<std::size_t>(bytes.length())};
    const Result<std::int64_t> same = region.device->firstDifference(guard, bytes.length(), std::byte {GuardByte});
    if (same.ok() && same.value() == bytes.length()) return {};
    room.resize(static_cast<std::size_t>(bytes.length()));
    const Status status = same.ok() ? region.device->copyOut(room, guard) : Status(same.error());
    if (m_health.ok()) m_health = status;
    return status.ok() ? std::span<const std::byte>(room) : std::span<const std::byte> {};
}

/// What a plan puts there is left alone.
std::optional<ArenaMemory::GuardHit> ArenaMemory::checkReserved(ArenaId arena)
{
    std::vector<std::byte> room;
    Region& region = m_regions[arena.index()];
    for (const Interval bytes : region.reserved) {
        const std::span found = guardOf(region, bytes, room);
        const auto first = std::find_if_not(found.begin(), found.end(), isGuard);
        if (first == found.end()) continue;
        std::erase(region.reserved, bytes);
        return GuardHit {arena, GuardHit::Zone::Reserved, bytes.begin + (first - found.begin())};
    }
    return std::nullopt;
}

std::optional<RunResult::Watched> ArenaMemory::watched() const
{
    return m_watched;
}

std::optional<ArenaMemory::GuardHit> ArenaMemory::checkGuards()
{
    const auto hit = m_watched ? checkZones() : std::nullopt;
    if (hit) ++m_watched->touchedZones;
    return hit;
}

std::optional<ArenaMemory::GuardHit> ArenaMemory::checkZones()
{
    std::vector<std::byte> room;
    for (std::size_t i = 0; i < m_regions.size(); ++i) {
        const std::int64_t end = m_regions[i].bytes;
        const std::span behind = guardOf(m_regions[i], {end, end + GuardBytes}, room);
        const auto first = std::find_if_not(behind.begin(), behind.end(), isGuard);
        if (first != behind.end()) {
            fill(m_regions[i].device, at(ArenaId {i}, m_regions[i].bytes), GuardBytes, GuardByte);
            return GuardHit {ArenaId {i}, GuardHit::Zone::After, first - behind.begin()};
        }
        const std::span before = guardOf(m_regions[i], {-GuardBytes, 0}, room);
        const auto last = std::find_if_not(before.rbegin(), before.rend(), isGuard);
        if (last != before.rend()) {
            fill(m_regions[i].device, m_regions[i].memory, GuardBytes, GuardByte);
            return GuardHit {ArenaId {i}, GuardHit::Zone::Before, last - before.rbegin()};
        }
        if (const auto hit = checkReserved(ArenaId {i})) return hit;
    }
    return std::nullopt;
}

} // namespace plimsoll::kernels
