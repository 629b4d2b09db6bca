#pragma once

#include "core/base/interval.h"

#include <vector>

namespace plimsoll {

/// The steps in which some bytes matter: sorted, disjoint, not touching, half-open. Usually one interval; a value that
/// only one branch of an If reads, or that is written in each branch, has gaps, which others may use.
class LiveRanges
{
public:
    LiveRanges() = default;
    explicit LiveRanges(Interval steps) { add(steps); }

    void add(Interval steps); ///< Joins what overlaps or touches.
    void add(const LiveRanges& other);

    [[nodiscard]] const std::vector<Interval>& intervals() const { return m_intervals; }
    [[nodiscard]] bool empty() const { return m_intervals.empty(); }
    [[nodiscard]] Interval hull() const; ///< From the first step to the last; empty when there is none.
    [[nodiscard]] bool contains(std::int64_t step) const;

    friend bool operator==(const LiveRanges&, const LiveRanges&) = default;

private:
    std::vector<Interval> m_intervals;
};

[[nodiscard]] bool overlaps(const LiveRanges& a, const LiveRanges& b);

} // namespace plimsoll
