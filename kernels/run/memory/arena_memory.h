#pragma once

#include "core/base/interval.h"
#include "core/base/result.h"
#include "core/plan/memory_map.h"
#include "core/plan/run_result.h"
#include "kernels/run/device/device_spaces.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// The bytes of every arena of a plan, each between two guard zones:
///
///     | guard 4 KiB | arena, 64-byte aligned, poisoned at first | guard 4 KiB |
///
/// What the plan reserves for others inside of an arena is filled and watched like a guard zone.
/// Also keeps the high-water mark of what was really handed out, in the accounting of peakBytes. A copy is the same
/// memory, so that a second run can begin with what the first has left.
class ArenaMemory
{
public:
    static constexpr std::int64_t GuardBytes = 4096;

    /// An arena of a device that \p spaces knows lies in its memory, all others in that of the host. Refuses arenas
    /// that have no room there (Unsupported) and negative sizes (BadInput). Without \p poison dead bytes keep what was
    /// in them, and no guard zone is watched.
    [[nodiscard]] static Result<ArenaMemory> create(const std::vector<PlannedArena>& arenas,
                                                    const DeviceSpaces& spaces = {}, bool poison = true);

    [[nodiscard]] std::byte* at(ArenaId arena, std::int64_t offset) const;
    [[nodiscard]] std::int64_t arenaBytes(ArenaId arena) const;

    /// Notes that [offset, offset + bytes) is about to be written. \p bytes are rounded up to the arena's alignment.
    void touch(ArenaId arena, std::int64_t offset, std::int64_t bytes);
    [[nodiscard]] std::int64_t touchedBytes() const; ///< Sum over arenas of the highest byte touched.
    /// The same by memory space.
    [[nodiscard]] std::map<std::string, std::int64_t> touchedBySpace() const;

    /// What a device held before the arenas, and how much more behind them.
    struct Reserved
    {
        Device* device = nullptr;
        std::int64_t before = 0;
        std::int64_t bytes = 0;
        std::optional<std::int64_t> freeBefore {}; ///< By the driver.
    };
    /// By memory space, of every device that the run uses.
    [[nodiscard]] const std::map<std::string, Reserved>& reserved() const { return m_reserved; }

    /// Overwrites dead bytes, so that a late reader is found out. As float32 and float64 the pattern is a
    /// small negative number nothing computes; as an index it is out of every range.
    void poison(ArenaId arena, Interval bytes);
    /// The same for bytes beside the arenas; \p device is null for those of the host.
    void poison(Device* device, std::byte* first, std::int64_t bytes);

    struct GuardHit
    {
        enum class Zone : std::uint8_t { Before, After, Reserved };
        ArenaId arena;
        Zone zone = Zone::Before;
        std::int64_t distance =
            0; ///< Bytes from the arena's edge to the nearest overwritten byte; reserved: its offset.
    };
    /// The first guard zone or reserved region that is not as it was. Each is told once: a zone is put right again.
    [[nodiscard]] std::optional<GuardHit> checkGuards();
    /// What was filled and watched by now; nothing without poison.
    [[nodiscard]] std::optional<RunResult::Watched> watched() const;

    [[nodiscard]] const Status& health() const { return m_health; } ///< Of devices: the first of them that failed.

private:
    struct Region
    {
        std::byte* memory = nullptr; ///< Guard, arena, guard: of the host, or addresses of the device.
        std::shared_ptr<void> owner;
        Device* device = nullptr; ///< Null: the host.
        std::string space;
        std::int64_t bytes = 0;
        std::int64_t alignment = 1;
        std::int64_t touched = 0;
        std::vector<Interval> reserved; ///< Those that were not written yet.
    };
    [[nodiscard]] static Result<Region> reserve(const PlannedArena& arena, Device* device);
    void fill(Device* device, std::byte* first, std::int64_t bytes, int pattern);
    [[nodiscard]] std::span<const std::byte> guardOf(const Region& region, Interval bytes,
                                                     std::vector<std::byte>& room);
    [[nodiscard]] std::optional<GuardHit> checkZones();
    [[nodiscard]] std::optional<GuardHit> checkReserved(ArenaId arena);

    std::vector<Region> m_regions;
    std::map<std::string, Reserved> m_reserved;
    Status m_health;
    std::optional<RunResult::Watched> m_watched {}; ///< Nothing: bytes are not poisoned, and no zone is watched.
};

} // namespace plimsoll::kernels
