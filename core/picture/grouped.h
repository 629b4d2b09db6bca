#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace plimsoll {

/// The positions [0, count) of some list grouped by a key below \c keys; those of one key stay in their order.
class Grouped
{
public:
    template <typename KeyOf>
    Grouped(std::size_t keys, std::size_t count, KeyOf keyOf) : m_first(keys + 1, 0), m_positions(count)
    {
        for (std::size_t i = 0; i < count; ++i)
            ++m_first[keyOf(i) + 1];
        std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
        std::vector<std::size_t> next(m_first.begin(), m_first.end() - 1);
        for (std::size_t i = 0; i < count; ++i)
            m_positions[next[keyOf(i)]++] = static_cast<std::int32_t>(i);
    }

    [[nodiscard]] std::span<const std::int32_t> of(std::size_t key) const
    {
        return std::span(m_positions).subspan(m_first[key], m_first[key + 1] - m_first[key]);
    }

private:
    std::vector<std::size_t> m_first; ///< By key, one more at the end.
    std::vector<std::int32_t> m_positions;
};

} // namespace plimsoll
