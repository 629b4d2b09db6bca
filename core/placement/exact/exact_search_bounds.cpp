#include "core/placement/exact/exact_search.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

/// Of each section, on average, after one decision.
constexpr std::size_t MostTightenings = 64;

} // namespace

bool FitSearch::place(std::int32_t item)
{
    const std::int64_t offset = m_now.lowest[at(item)];
    const std::int64_t top = m_now.end[at(item)];
    m_now.trail.push_back({~item, offset, m_now.support[at(item)]});
    m_now.offset[at(item)] = offset;
    m_now.lowest[at(item)] = Never;
    m_now.end[at(item)] = Never;
    m_now.placed[at(item)] = 1;
    for (const SectionRange range : m_model.ranges[item]) {
        for (std::int32_t section = range.begin; section < range.end; ++section)
            m_now.rest[at(section)] -= m_model.bytes[at(item)];
    }
    for (std::int32_t section = m_model.hull[at(item)].begin; section + 1 < m_model.hull[at(item)].end; ++section)
        --m_now.crossing[at(section)];
    touch(item);
    for (const std::int32_t other : m_model.neighbours[item]) {
        if (m_now.placed[at(other)] != 0 || m_now.support[at(other)] >= top) continue;
        m_now.trail.push_back({other, m_now.lowest[at(other)], m_now.support[at(other)]});
        m_now.support[at(other)] = firstFree(m_model, other, top);
        if (!raise(other, m_now.support[at(other)])) return false;
    }
    return true;
}

void FitSearch::unplace(std::int32_t item)
{
    m_now.placed[at(item)] = 0;
    for (const SectionRange range : m_model.ranges[item]) {
        for (std::int32_t section = range.begin; section < range.end; ++section)
            m_now.rest[at(section)] += m_model.bytes[at(item)];
    }
    for (std::int32_t section = m_model.hull[at(item)].begin; section + 1 < m_model.hull[at(item)].end; ++section)
        ++m_now.crossing[at(section)];
}

void FitSearch::undo(std::size_t trail)
{
    while (m_now.trail.size() > trail) {
        const Change change = m_now.trail.back();
        m_now.trail.pop_back();
        const std::int32_t item = change.item < 0 ? ~change.item : change.item;
        if (change.item < 0) unplace(item);
        if (m_order.pick != Pick::Lowest && change.lowest != m_now.lowest[at(item)]) forget(item);
        m_now.lowest[at(item)] = change.lowest;
        m_now.end[at(item)] = change.lowest + m_model.bytes[at(item)];
        m_now.support[at(item)] = change.support;
    }
}

/// Not at its lowest offset: then on top of something that is not placed yet.
bool FitSearch::postpone(std::int32_t item)
{
    std::int64_t lowest = Never;
    for (const std::int32_t other : m_model.neighbours[item])
        lowest = std::min(lowest, m_now.end[at(other)]);
    return lowest != Never && raise(item, lowest);
}

/// What lies on top of others lies, at the bottom of it, on something that can be put down now. Raises all of \p range
/// to the lowest offsets of such chains, as if everything had been postponed until nothing changes: that may take as
/// many steps as the coarsest alignment has bytes. Dijkstra's shortest paths (1959), ends of items as lengths.
bool FitSearch::settle(SectionRange range)
{
    using End = std::pair<std::int64_t, std::int32_t>;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    std::vector<std::int64_t> settled(m_model.bytes.size(), Never);
    std::vector<std::int32_t> hanging;
    for (const std::int32_t item : m_order.items) {
        const std::int32_t begin = m_model.hull[at(item)].begin;
        if (m_now.placed[at(item)] != 0 || begin < range.begin || begin >= range.end) continue;
        if (m_now.lowest[at(item)] > m_now.support[at(item)]) {
            hanging.push_back(item);
            continue;
        }
        settled[at(item)] = m_now.lowest[at(item)];
        ends.emplace(m_now.end[at(item)], item);
    }
    while (!ends.empty()) {
        const auto [end, item] = ends.top();
        ends.pop();
        for (const std::int32_t other : m_model.neighbours[item]) {
            if (m_now.placed[at(other)] != 0 || settled[at(other)] != Never) continue;
            const std::int64_t lowest = std::max(end, m_now.lowest[at(other)]);
            if (lowest > m_capacity - m_model.bytes[at(other)]) return false;
            settled[at(other)] = firstFree(m_model, other, lowest);
            if (settled[at(other)] > m_capacity - m_model.bytes[at(other)]) return false;
            ends.emplace(settled[at(other)] + m_model.bytes[at(other)], other);
        }
    }
    return std::all_of(hanging.begin(), hanging.end(),
                       [&](std::int32_t item) { return settled[at(item)] != Never && raise(item, settled[at(item)]); });
}

/// False where it would end above the capacity.
bool FitSearch::raise(std::int32_t item, std::int64_t lowest)
{
    while (item >= 0 && m_now.placed[at(item)] == 0 && lowest > m_now.lowest[at(item)]) {
        if (lowest > m_capacity - m_model.bytes[at(item)]) return false;
        lowest = firstFree(m_model, item, lowest);
        if (lowest > m_capacity - m_model.bytes[at(item)]) return false;
        m_now.trail.push_back({item, m_now.lowest[at(item)], m_now.support[at(item)]});
        m_now.lowest[at(item)] = lowest;
        m_now.end[at(item)] = lowest + m_model.bytes[at(item)];
        touch(item);
        lowest = m_now.end[at(item)];
        item = m_now.nextTwin[at(item)];
    }
    return true;
}

void FitSearch::touch(std::int32_t item)
{
    for (const SectionRange range : m_model.ranges[item]) {
        for (std::int32_t section = range.begin; section < range.end; ++section) {
            m_now.next[at(section)].fresh = false;
            if (m_now.queued[at(section)] != 0) continue;
            m_now.queued[at(section)] = 1;
            m_now.queue.push_back(section);
        }
    }
}

void FitSearch::forget(std::int32_t item)
{
    for (const SectionRange range : m_model.ranges[item]) {
        for (std::int32_t section = range.begin; section < range.end; ++section)
            m_now.next[at(section)].fresh = false;
    }
}

/// False where some section has no room left. Empties the queue; weaker bounds than possible where that takes long.
bool FitSearch::propagate()
{
    const std::size_t most = MostTightenings * (m_model.step.size() + 16);
    bool possible = true;
    for (std::size_t next = 0; next < m_now.queue.size(); ++next) {
        const std::int32_t section = m_now.queue[next];
        m_now.queued[at(section)] = 0;
        if (!possible || m_now.rest[at(section)] == 0 || next >= most) continue;
        if (next % 64 == 63 && stopped()) continue;
        possible = tighten(section);
        if (!possible) ++m_now.failures[at(section)];
    }
    m_now.queue.clear();
    return possible;
}

/// What cannot be the next item of the section, since the rest would not fit above, lies on top of one that can.
bool FitSearch::tighten(std::int32_t section)
{
    const std::int64_t latest = latestStart(section);
    std::int64_t firstEnd = Never;
    bool late = false;
    for (const std::int32_t item : m_model.live[section]) {
        if (m_now.lowest[at(item)] <= latest) {
            firstEnd = std::min(firstEnd, m_now.end[at(item)]);
        } else if (m_now.lowest[at(item)] < firstEnd) {
            late = true;
        }
    }
    if (firstEnd == Never) return false;
    if (!late) return true;
    for (const std::int32_t item : m_model.live[section]) {
        if (m_now.placed[at(item)] == 0 && m_now.lowest[at(item)] > latest && !raise(item, firstEnd)) return false;
    }
    return true;
}

/// The highest offset from which on the section has room for all its unplaced items; may be negative.
std::int64_t FitSearch::latestStart(std::int32_t section) const
{
    std::int64_t rest = m_now.rest[at(section)];
    std::int64_t top = m_capacity;
    if (m_model.hasPins) {
        const auto pinned = m_model.pinned[section];
        for (auto taken = pinned.rbegin(); taken != pinned.rend(); ++taken) {
            if (rest <= top - taken->end) break;
            rest -= top - taken->end;
            top = taken->begin;
        }
    }
    return top - rest;
}

} // namespace plimsoll
