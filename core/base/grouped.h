#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace plimsoll {

/// Items grouped by a key below \c keys; those of one key stay in their order. Two blocks of memory, however many
/// groups there are.
template <typename Item>
class Grouped
{
public:
    Grouped() = default;
    /// \p visit calls its argument as add(key, item) for each item. It is called twice, and does the same both times.
    template <typename Visit>
    Grouped(std::size_t keys, Visit visit) : m_first(keys + 1, 0)
    {
        visit([this](std::size_t key, const Item&) { ++m_first[key + 1]; });
        std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
        m_items.resize(m_first.back());
        std::vector<std::size_t> next(m_first.begin(), m_first.end() - 1);
        visit([&](std::size_t key, const Item& item) { m_items[next[key]++] = item; });
    }

    [[nodiscard]] std::span<const Item> operator[](std::size_t key) const
    {
        return std::span(m_items).subspan(m_first[key], m_first[key + 1] - m_first[key]);
    }

private:
    std::vector<std::size_t> m_first; ///< By key, one more at the end.
    std::vector<Item> m_items;
};

/// The positions [0, count) of some list.
template <typename KeyOf>
[[nodiscard]] Grouped<std::int32_t> positionsBy(std::size_t keys, std::size_t count, KeyOf keyOf)
{
    return {keys, [&](auto add) {
                for (std::size_t i = 0; i < count; ++i)
                    add(keyOf(i), static_cast<std::int32_t>(i));
            }};
}

} // namespace plimsoll
