#include "kernels/runtime/arena_memory.h"

#include "core/base/bytes.h"
#include "kernels/runtime/host_memory.h"

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
    return {ErrorCode::Unsupported,
            "the plan's arena in '" + arena.space + "' needs " + formatBytes(arena.bytes) +
                ", which this machine cannot hold",
            {},
            {}};
}

bool isGuard(std::byte b)
{
    return b == std::byte {GuardByte};
}

} // namespace

Result<ArenaMemory> ArenaMemory::create(const std::vector<PlannedArena>& arenas)
{
    ArenaMemory result;
    for (const PlannedArena& arena : arenas) {
        if (arena.bytes < 0) return Error {ErrorCode::BadInput, "an arena has a negative size", {}, {}};
        if (arena.bytes > machineMemory()) return cannotHold(arena);
        Region region;
        region.bytes = arena.bytes;
        region.alignment = std::max<std::int64_t>(arena.alignment, 1);
        region.memory = allocate(arena.bytes + 2 * GuardBytes);
        if (!region.memory) return cannotHold(arena);
        std::memset(region.memory.get(), GuardByte, GuardBytes);
        std::memset(region.memory.get() + GuardBytes, PoisonByte, static_cast<std::size_t>(arena.bytes));
        std::memset(region.memory.get() + GuardBytes + arena.bytes, GuardByte, GuardBytes);
        result.m_regions.push_back(std::move(region));
    }
    return result;
}

std::byte* ArenaMemory::at(ArenaId arena, std::int64_t offset) const
{
    return m_regions[arena.index()].memory.get() + GuardBytes + offset;
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

void ArenaMemory::poison(ArenaId arena, Interval bytes)
{
    const Interval inside = intersection(bytes, {0, arenaBytes(arena)});
    if (!inside.empty()) std::memset(at(arena, inside.begin), PoisonByte, static_cast<std::size_t>(inside.length()));
}

std::optional<ArenaMemory::GuardHit> ArenaMemory::checkGuards()
{
    for (std::size_t i = 0; i < m_regions.size(); ++i) {
        std::byte* const before = m_regions[i].memory.get();
        std::byte* const after = before + GuardBytes + m_regions[i].bytes;
        const auto first = std::find_if_not(after, after + GuardBytes, isGuard);
        if (first != after + GuardBytes) {
            std::memset(after, GuardByte, GuardBytes);
            return GuardHit {ArenaId {i}, true, first - after};
        }
        const auto last =
            std::find_if_not(std::reverse_iterator(before + GuardBytes), std::reverse_iterator(before), isGuard);
        if (last != std::reverse_iterator(before)) {
            std::memset(before, GuardByte, GuardBytes);
            return GuardHit {ArenaId {i}, false, last - std::reverse_iterator(before + GuardBytes)};
        }
    }
    return std::nullopt;
}

} // namespace plimsoll::kernels
