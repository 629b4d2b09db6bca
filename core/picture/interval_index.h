#pragma once

#include "core/base/interval.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace plimsoll {

/// Finds which of many intervals, sorted by their begin, overlap a window: a binary search for the last that begins
/// before the window ends, and a tree of maximal ends over those before it. O(log n + hits · log n) at worst.
class IntervalIndex
{
public:
    IntervalIndex() = default;
    /// \p sorted must be ordered by begin.
    explicit IntervalIndex(const std::vector<Interval>& sorted)
        : m_leaves(std::bit_ceil(std::max<std::size_t>(sorted.size(), 1)))
    {
        m_begins.reserve(sorted.size());
        m_maxEnd.assign(2 * m_leaves, std::numeric_limits<std::int64_t>::min());
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            m_begins.push_back(sorted[i].begin);
            m_maxEnd[m_leaves + i] = sorted[i].end;
        }
        for (std::size_t node = m_leaves - 1; node > 0; --node)
            m_maxEnd[node] = std::max(m_maxEnd[2 * node], m_maxEnd[2 * node + 1]);
    }

    [[nodiscard]] std::size_t size() const { return m_begins.size(); }

    /// Calls \p visitor(position) for every interval that overlaps \p window, in increasing position.
    template <typename Visitor>
    void visit(Interval window, Visitor&& visitor) const
    {
        if (!m_begins.empty()) visitNode(1, 0, m_leaves, window, visitor);
    }

private:
    template <typename Visitor>
    void visitNode(std::size_t node, std::size_t first, std::size_t count, Interval window, Visitor& visitor) const
    {
        if (first >= m_begins.size() || m_maxEnd[node] <= window.begin || m_begins[first] >= window.end) return;
        if (count == 1) {
            visitor(first);
            return;
        }
        visitNode(2 * node, first, count / 2, window, visitor);
        visitNode(2 * node + 1, first + count / 2, count / 2, window, visitor);
    }

    std::vector<std::int64_t> m_begins;
    std::vector<std::int64_t> m_maxEnd; ///< Heap order; leaf i is at m_leaves + i.
    std::size_t m_leaves = 1;           ///< A power of two.
};

} // namespace plimsoll
