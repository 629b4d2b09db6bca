#pragma once

#include "core/base/ids.h"

#include <utility>
#include <vector>

namespace plimsoll {

/// Values in disjoint lists, which are joined by exchanging two links. A list is known by its last value:
///
///     a > b > c      the last leads back to the first
///     ^-------'
class ValueLists
{
public:
    /// Each value is a list of its own.
    explicit ValueLists(std::size_t values)
    {
        m_next.reserve(values);
        for (std::size_t value = 0; value < values; ++value)
            m_next.emplace_back(value);
    }

    /// Puts the list that ends with \p more behind the one that ends with \p last, which takes its new end. An invalid
    /// \p last is a list of nothing.
    void append(ValueId& last, ValueId more)
    {
        if (last.valid() && more.valid()) std::swap(m_next[last.index()], m_next[more.index()]);
        if (more.valid()) last = more;
    }

    [[nodiscard]] ValueId first(ValueId last) const { return m_next[last.index()]; }

    [[nodiscard]] std::vector<ValueId> values(ValueId last) const
    {
        std::vector<ValueId> all;
        if (!last.valid()) return all;
        for (ValueId value = first(last); all.push_back(value), value != last;)
            value = m_next[value.index()];
        return all;
    }

private:
    std::vector<ValueId> m_next; ///< By ValueId.
};

} // namespace plimsoll
