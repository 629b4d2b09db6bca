#include "core/base/bytes.h"
#include "core/placement/placement.h"

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
    struct Change
    {
        std::int64_t step = 0;
        std::int64_t bytes = 0;
    };
    std::vector<std::vector<Change>> changes(problem.arenas.size());
    std::vector<std::int64_t> bounds(problem.arenas.size(), 0);
    for (const Buffer& buffer : problem.buffers) {
        const std::int64_t bytes = roundedBytes(problem, buffer);
        for (const Interval live : buffer.live.intervals()) {
            changes[buffer.arena.index()].push_back({live.begin, bytes});
            changes[buffer.arena.index()].push_back({live.end, -bytes});
        }
    }
    for (std::size_t arena = 0; arena < changes.size(); ++arena) {
        // What ends at a step makes room for what begins there.
        std::sort(changes[arena].begin(), changes[arena].end(), [](const Change& a, const Change& b) {
            return std::pair(a.step, a.bytes) < std::pair(b.step, b.bytes);
        });
        std::int64_t sum = 0;
        for (const Change& change : changes[arena])
            bounds[arena] = std::max(bounds[arena], sum += change.bytes);
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
