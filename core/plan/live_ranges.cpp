#include "core/plan/live_ranges.h"

namespace plimsoll {

void LiveRanges::add(Interval steps)
{
    if (steps.empty()) return;
    auto first =
        std::find_if(m_intervals.begin(), m_intervals.end(), [&](Interval other) { return other.end >= steps.begin; });
    auto last = first;
    while (last != m_intervals.end() && last->begin <= steps.end) {
        steps = {std::min(steps.begin, last->begin), std::max(steps.end, last->end)};
        ++last;
    }
    m_intervals.insert(m_intervals.erase(first, last), steps);
}

void LiveRanges::add(const LiveRanges& other)
{
    for (const Interval steps : other.m_intervals)
        add(steps);
}

Interval LiveRanges::hull() const
{
    if (m_intervals.empty()) return {};
    return {m_intervals.front().begin, m_intervals.back().end};
}

bool LiveRanges::contains(std::int64_t step) const
{
    return std::any_of(m_intervals.begin(), m_intervals.end(), [step](Interval steps) { return steps.contains(step); });
}

bool overlaps(const LiveRanges& a, const LiveRanges& b)
{
    auto left = a.intervals().begin();
    auto right = b.intervals().begin();
    while (left != a.intervals().end() && right != b.intervals().end()) {
        if (overlaps(*left, *right)) return true;
        if (left->end < right->end) {
            ++left;
        } else {
            ++right;
        }
    }
    return false;
}

} // namespace plimsoll
