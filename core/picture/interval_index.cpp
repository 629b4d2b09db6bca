#include "core/picture/interval_index.h"

#include <bit>
#include <limits>

namespace plimsoll {

IntervalIndex::IntervalIndex(const std::vector<Interval>& sorted)
    : m_leaves(std::bit_ceil(std::max<std::size_t>(sorted.size(), 1)))
{
    m_begins.reserve(sorted.size());
    m_maxEnd.assign(2 * m_leaves, std::numeric_limits<std::int64_t>::min());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        m_begins.push_back(sorted[i].begin);
        m_maxEnd[m_leaves + i] = sorted[i].end;
    }
    for (std::size_t node = m_leaves - 1; node > 0; --node) {
        m_maxEnd[node] = std::max(m_maxEnd[2 * node], m_maxEnd[2 * node + 1]);
    }
}

} // namespace plimsoll
