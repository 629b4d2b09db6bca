#pragma once

#include "core/placement/search/section.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace plimsoll {

using Order = std::vector<std::uint32_t>;

/// What an order can look at first, second, ... Larger first, except Start, which needs no place: it decides last.
enum class OrderKey : std::uint8_t {
    Size,
    Life,     ///< Ranks of the hull.
    LogLife,  ///< Its power of two.
    Area,     ///< Size times ranks.
    Load,     ///< The most units alive at any rank of the hull.
    Critical, ///< Whether that is at least 95 % of the bound.
};

/// Orders of one section, and what they are made of. Sorting is by radix, so O(n).
class Orders
{
public:
    explicit Orders(const Section& section) : m_section(section) {}

    /// All items by the keys in their order, then by start, then as in the section.
    /// When stopped: in some order.
    [[nodiscard]] Order by(std::span<const OrderKey> keys, const Context& context);

    /// All items by \p keys, larger first, equal ones as they are in \p order. When stopped: in some order.
    static void sortStably(Order& order, std::span<const std::uint64_t> keys, const Context& context);

    /// By item: the most units alive at any rank of its hull.
    [[nodiscard]] const std::vector<std::int64_t>& peakLoads();

private:
    [[nodiscard]] std::vector<std::uint64_t> keysOf(OrderKey key);

    const Section& m_section;
    std::vector<std::int64_t> m_peakLoads;
};

} // namespace plimsoll
