#include "core/placement/search/load.h"

#include "core/base/bytes.h"
#include "core/placement/search/section.h"

#include <algorithm>

namespace plimsoll {

std::int64_t roundedBytes(const Problem& problem, const Buffer& buffer)
{
    return alignUp(buffer.bytes, problem.arenas[buffer.arena.index()].alignment);
}

std::vector<std::int64_t> liveBytes(const Problem& problem, ArenaId arena, std::int64_t steps)
{
    std::vector<std::int64_t> change(static_cast<std::size_t>(steps) + 1, 0);
    for (const Buffer& buffer : problem.buffers) {
        if (buffer.arena != arena) continue;
        const std::int64_t bytes = roundedBytes(problem, buffer);
        for (const Interval live : buffer.live.intervals()) {
            const Interval seen = intersection(live, {0, steps});
            if (seen.empty()) continue;
            change[static_cast<std::size_t>(seen.begin)] += bytes;
            change[static_cast<std::size_t>(seen.end)] -= bytes;
        }
    }
    std::int64_t sum = 0;
    for (std::int64_t& step : change)
        step = sum += step;
    change.pop_back();
    return change;
}

std::vector<std::int64_t> lowerBounds(const Problem& problem)
{
    std::vector<std::int64_t> bounds;
    const std::vector<ArenaTask> tasks = prepare(problem, {});
    for (std::size_t arena = 0; arena < tasks.size(); ++arena) {
        const std::int64_t bytes = std::max(tasks[arena].all.bound * tasks[arena].all.unit, tasks[arena].asideBytes);
        bounds.push_back(alignUp(bytes, problem.arenas[arena].alignment));
    }
    return bounds;
}

std::vector<std::int64_t> noReuseBytes(const Problem& problem)
{
    std::vector<std::int64_t> sums(problem.arenas.size(), 0);
    for (const Buffer& buffer : problem.buffers)
        sums[buffer.arena.index()] += roundedBytes(problem, buffer);
    return sums;
}

} // namespace plimsoll
