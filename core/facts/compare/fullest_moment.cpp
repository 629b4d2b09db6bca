#include "core/facts/compare/fullest_moment.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

/// How many bytes sorted \p ranges cover together.
std::int64_t covered(const std::vector<Interval>& ranges)
{
    std::int64_t bytes = 0;
    std::int64_t end = 0;
    for (const Interval& range : ranges) {
        bytes += Interval {std::max(end, range.begin), range.end}.length();
        end = std::max(end, range.end);
    }
    return bytes;
}

void sort(std::vector<Interval>& ranges)
{
    std::ranges::sort(ranges, {}, &Interval::begin);
}

} // namespace

std::int64_t arenaHeight(const Report& report, ArenaId arena)
{
    const PlannedArena& stated = report.program.map.arenas[arena.index()];
    std::int64_t height = stated.bytes;
    for (const Storage& storage : report.program.storages) {
        if (storage.arena != arena) continue;
        const std::int64_t end = std::max<std::int64_t>(0, storage.offset + storage.bytes);
        height = std::max(height, checkedAlignUp(end, stated.alignment).value_or(end));
    }
    return height;
}

std::int64_t roundedBytes(const Report& report, const Storage& storage)
{
    const std::int64_t alignment = report.program.map.arenas[storage.arena.index()].alignment;
    return checkedAlignUp(storage.bytes, alignment).value_or(storage.bytes);
}

std::vector<std::int64_t> fullestSteps(const Report& report, ArenaId arena)
{
    std::map<std::int64_t, std::int64_t> changes; // by step: by how much more is alive than before
    for (const Storage& storage : report.program.storages) {
        if (storage.arena != arena || storage.bytes <= 0) continue;
        for (const Interval& steps : storage.live.intervals()) {
            changes[steps.begin] += roundedBytes(report, storage);
            changes[steps.end] -= roundedBytes(report, storage);
        }
    }
    std::vector<std::int64_t> fullest;
    std::int64_t most = 1;
    std::int64_t live = 0;
    for (auto change = changes.begin(); change != changes.end(); ++change) {
        live += change->second;
        if (live < most) continue;
        if (live > most) fullest.clear();
        most = live;
        for (std::int64_t step = change->first; step < std::next(change)->first; ++step)
            fullest.push_back(step);
    }
    return fullest;
}

FullestMoment momentAt(const Report& report, ArenaId arena, std::int64_t step)
{
    FullestMoment moment {.step = step};
    std::vector<Interval> blocks;
    std::int64_t taken = 0;
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        if (storage.arena != arena || storage.bytes <= 0 || !storage.live.contains(step)) continue;
        const std::int64_t bytes = roundedBytes(report, storage);
        moment.live.emplace_back(i);
        blocks.push_back({storage.offset, storage.offset + bytes});
        taken += bytes;
    }
    sort(blocks);
    const std::int64_t live = covered(blocks);
    moment.overlap = taken - live;
    for (const ReservedBytes& reserved : report.program.map.arenas[arena.index()].reserved)
        blocks.push_back(reserved.bytes);
    sort(blocks);
    const std::int64_t used = covered(blocks);
    std::int64_t top = 0;
    for (const Interval& block : blocks)
        top = std::max(top, block.end);
    moment.reserved = used - live;
    moment.holes = top - used;
    moment.above = arenaHeight(report, arena) - top;
    return moment;
}

} // namespace plimsoll
