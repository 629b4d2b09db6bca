#pragma once

#include "core/base/interval.h"
#include "core/base/shared_vector.h"

#include <span>

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

    [[nodiscard]] std::span<const Interval> intervals() const
    {
        if (!m_several.empty()) return m_several.read();
        return {&m_only, m_only.empty() ? std::size_t {0} : std::size_t {1}};
    }
    [[nodiscard]] bool empty() const { return m_only.empty() && m_several.empty(); }
    [[nodiscard]] Interval hull() const; ///< From the first step to the last; empty when there is none.
    [[nodiscard]] bool contains(std::int64_t step) const;

    friend bool operator==(const LiveRanges&, const LiveRanges&) = default;

private:
    Interval m_only;                  ///< Where there are not several: most values have one, and there are many.
    SharedVector<Interval> m_several; ///< None, or at least two.
};

[[nodiscard]] bool overlaps(const LiveRanges& a, const LiveRanges& b);

} // namespace plimsoll
