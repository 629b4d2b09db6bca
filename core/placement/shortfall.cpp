#include "core/placement/shortfall.h"

#include "core/placement/search/load.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// The first step at which the most bytes are alive, and those bytes.
struct FullestStep
{
    std::int64_t step = 0;
    std::int64_t bytes = 0;
};

FullestStep fullestStep(const Problem& problem, ArenaId arena)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> changes; // step, bytes; what ends comes first
    for (const Buffer& buffer : problem.buffers) {
        if (buffer.arena != arena) continue;
        const std::int64_t bytes = roundedBytes(problem, buffer);
        for (const Interval live : buffer.live.intervals()) {
            changes.emplace_back(live.begin, bytes);
            changes.emplace_back(live.end, -bytes);
        }
    }
    std::sort(changes.begin(), changes.end());
    FullestStep fullest;
    std::int64_t sum = 0;
    for (const auto& [step, bytes] : changes) {
        sum += bytes;
        if (sum > fullest.bytes) fullest = {step, sum};
    }
    return fullest;
}

} // namespace

CapacityShortfall explainShortfall(const Problem& problem, ArenaId arena, std::int64_t needed)
{
    const std::int64_t capacity = problem.arenas[arena.index()].capacityBytes.value_or(0);
    CapacityShortfall why {arena, capacity, needed, {}, {}};
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (buffer.arena != arena || !buffer.pinnedOffset) continue;
        if (*buffer.pinnedOffset + roundedBytes(problem, buffer) <= capacity) continue;
        why.buffers.emplace_back(index);
        if (!buffer.live.empty()) why.step = buffer.live.hull().begin;
        return why;
    }
    const FullestStep fullest = fullestStep(problem, arena);
    if (fullest.bytes <= capacity) return why;
    why.step = fullest.step;
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (buffer.arena == arena && buffer.bytes > 0 && buffer.live.contains(fullest.step))
            why.buffers.emplace_back(index);
    }
    return why;
}

} // namespace plimsoll
