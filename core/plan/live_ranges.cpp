#include "core/plan/live_ranges.h"

#include <algorithm>

namespace plimsoll {

void LiveRanges::add(Interval steps)
{
    if (steps.empty()) return;
    if (empty()) {
        m_only = steps;
        return;
    }
    std::vector<Interval> all = m_several.empty() ? std::vector {m_only} : std::vector<Interval>();
    std::vector<Interval>& into = m_several.empty() ? all : m_several.write();
    auto first = std::find_if(into.begin(), into.end(), [&](Interval other) { return other.end >= steps.begin; });
    auto last = first;
    while (last != into.end() && last->begin <= steps.end) {
        steps = {std::min(steps.begin, last->begin), std::max(steps.end, last->end)};
        ++last;
    }
    into.insert(into.erase(first, last), steps);
    const bool one = into.size() == 1;
    m_only = one ? into.front() : Interval {};
    if (one)
        m_several.clear();
    else if (&into == &all)
        m_several = std::move(all);
}

void LiveRanges::add(const LiveRanges& other)
{
    for (const Interval steps : other.intervals())
        add(steps);
}

Interval LiveRanges::hull() const
{
    if (m_several.empty()) return m_only;
    return {m_several.read().front().begin, m_several.read().back().end};
}

bool LiveRanges::contains(std::int64_t step) const
{
    return std::ranges::any_of(intervals(), [step](Interval steps) { return steps.contains(step); });
}

bool overlaps(const LiveRanges& a, const LiveRanges& b)
{
    const std::span<const Interval> ours = a.intervals();
    const std::span<const Interval> theirs = b.intervals();
    auto left = ours.begin();
    auto right = theirs.begin();
    while (left != ours.end() && right != theirs.end()) {
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
