#include "core/picture/alive_colours.h"

#include <algorithm>

namespace plimsoll {
namespace {

using Counts = AliveColours::Counts;

void addAt(std::vector<Counts>& sums, std::size_t rank, ColourIndex colour, std::int32_t by)
{
    for (std::size_t i = rank + 1; i < sums.size(); i += i & -i)
        sums[i][colour] += by;
}

/// Adds \p sign times what stands at ranks below \p rank.
void addBefore(const std::vector<Counts>& sums, std::size_t rank, std::int32_t sign, Counts& counts)
{
    for (std::size_t i = rank; i > 0; i -= i & -i) {
        for (std::size_t colour = 0; colour < counts.size(); ++colour)
            counts[colour] += sign * sums[i][colour];
    }
}

} // namespace

AliveColours::AliveColours(const PlannedProgram& program)
{
    for (const Storage& storage : program.storages) {
        if (!storage.arena.valid()) continue;
        for (const Interval& steps : storage.live.intervals())
            m_steps.push_back(steps.begin);
    }
    std::ranges::sort(m_steps);
    m_steps.erase(std::unique(m_steps.begin(), m_steps.end()), m_steps.end());
    m_begun.resize(m_steps.size() + 2);
    m_ended.resize(m_steps.size() + 2);
}

std::size_t AliveColours::rankOf(std::int64_t step) const
{
    return static_cast<std::size_t>(std::ranges::lower_bound(m_steps, step) - m_steps.begin());
}

AliveColours::Counts AliveColours::in(const LiveRanges& steps) const
{
    Counts counts {};
    for (const Interval& range : steps.intervals()) {
        addBefore(m_begun, rankOf(range.end), 1, counts);
        addBefore(m_ended, rankOf(range.begin) + 1, -1, counts);
    }
    return counts;
}

void AliveColours::change(const LiveRanges& steps, ColourIndex colour, std::int32_t by)
{
    for (const Interval& range : steps.intervals()) {
        addAt(m_begun, rankOf(range.begin), colour, by);
        addAt(m_ended, rankOf(range.end), colour, by);
    }
}

} // namespace plimsoll
