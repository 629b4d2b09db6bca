#include "core/formats/snapshot/snapshot_segments.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {

bool SnapshotSegments::add(Interval addresses, std::int64_t stream, bool expandable)
{
    if (addresses.empty()) return true;
    const bool free = cut(addresses) == 0;
    m_bytes += addresses.length();
    auto at = m_byBegin.insert_or_assign(addresses.begin, Segment {addresses.end, stream, expandable}).first;
    if (!expandable) return free;
    const auto joins = [stream](const Segment& segment) { return segment.expandable && segment.stream == stream; };
    if (const auto next = std::next(at);
        next != m_byBegin.end() && next->first == at->second.end && joins(next->second)) {
        at->second.end = next->second.end;
        m_byBegin.erase(next);
    }
    if (at != m_byBegin.begin()) {
        const auto before = std::prev(at);
        if (before->second.end == at->first && joins(before->second)) {
            before->second.end = at->second.end;
            m_byBegin.erase(at);
        }
    }
    return free;
}

bool SnapshotSegments::remove(Interval addresses)
{
    return cut(addresses) == addresses.length();
}

std::map<std::int64_t, SnapshotSegments::Segment>::const_iterator SnapshotSegments::find(std::int64_t address) const
{
    auto after = m_byBegin.upper_bound(address);
    if (after == m_byBegin.begin()) return m_byBegin.end();
    const auto before = std::prev(after);
    return address < before->second.end ? before : m_byBegin.end();
}

std::int64_t SnapshotSegments::cut(Interval addresses)
{
    if (addresses.empty()) return 0;
    std::int64_t there = 0;
    const auto inside = find(addresses.begin);
    for (auto at = inside != m_byBegin.end() ? inside : m_byBegin.lower_bound(addresses.begin);
         at != m_byBegin.end() && at->first < addresses.end;) {
        const std::int64_t begin = at->first;
        const Segment whole = at->second;
        there += intersection(addresses, {begin, whole.end}).length();
        at = m_byBegin.erase(at);
        Segment rest = whole;
        rest.end = addresses.begin;
        if (begin < addresses.begin) m_byBegin.emplace(begin, rest);
        if (whole.end > addresses.end) at = m_byBegin.emplace(addresses.end, whole).first;
    }
    m_bytes -= there;
    return there;
}

} // namespace plimsoll
