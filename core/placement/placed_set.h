#pragma once

#include "core/placement/algorithms.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace plimsoll {

/// Buffers of one arena that have their place, in order of offset.
class PlacedSet
{
public:
    explicit PlacedSet(const Problem& problem) : m_problem(problem) {}

    void add(BufferId id, std::int64_t offset)
    {
        const Buffer& buffer = m_problem.buffers[id.index()];
        const std::int64_t bytes = roundedBytes(m_problem, buffer);
        if (bytes == 0) return;
        const Interval hull = buffer.live.hull();
        const Placed placed {offset, offset + bytes, hull.begin, hull.end, id};
        m_placed.insert(std::upper_bound(m_placed.begin(), m_placed.end(), placed,
                                         [](const Placed& a, const Placed& b) { return a.offset < b.offset; }),
                        placed);
        m_firstEnd = std::min(m_firstEnd, placed.lastStep);
    }

    /// Forgets what has ended at \p step; what is asked for later must begin there or later.
    void advance(std::int64_t step)
    {
        if (step < m_firstEnd) return;
        std::erase_if(m_placed, [step](const Placed& placed) { return placed.lastStep <= step; });
        m_firstEnd = Never;
        for (const Placed& placed : m_placed)
            m_firstEnd = std::min(m_firstEnd, placed.lastStep);
    }

    /// Where \p id may not lie.
    [[nodiscard]] const std::vector<Occupied>& blockers(BufferId id)
    {
        const LiveRanges& live = m_problem.buffers[id.index()].live;
        const Interval hull = live.hull();
        m_blockers.clear();
        for (const Placed& placed : m_placed) {
            if (placed.lastStep <= hull.begin || placed.firstStep >= hull.end) continue;
            if (overlaps(m_problem.buffers[placed.id.index()].live, live))
                m_blockers.push_back({placed.offset, placed.end});
        }
        return m_blockers;
    }

private:
    struct Placed
    {
        std::int64_t offset = 0;
        std::int64_t end = 0;
        std::int64_t firstStep = 0;
        std::int64_t lastStep = 0; ///< Half-open, over all intervals.
        BufferId id;
    };
    static constexpr std::int64_t Never = std::numeric_limits<std::int64_t>::max();

    const Problem& m_problem;
    std::vector<Placed> m_placed;
    std::vector<Occupied> m_blockers;
    std::int64_t m_firstEnd = Never;
};

} // namespace plimsoll
