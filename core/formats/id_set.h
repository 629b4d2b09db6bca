#pragma once

#include "core/base/narrow.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Which of the ids in a growing list are there: 8 to 16 bytes for each beside the list, which it only looks at.
class IdSet
{
public:
    explicit IdSet(const std::vector<std::string>& ids) : m_ids(ids), m_slots(LeastSlots, Free) {}

    /// Whether \p id, which is about to be appended to the list, is not in it yet.
    bool add(std::string_view id)
    {
        if (m_slots.size() < 2 * (m_ids.size() + 1)) grow();
        std::uint32_t& slot = m_slots[slotOf(id)];
        if (slot != Free) return false;
        slot = narrow<std::uint32_t>(m_ids.size());
        return true;
    }

    void reserve(std::size_t ids)
    {
        while (m_slots.size() < 2 * ids)
            grow();
    }

private:
    static constexpr std::uint32_t Free = 0xFFFFFFFF;
    static constexpr std::size_t LeastSlots = 64;

    /// The one that holds \p id, or the free one where it belongs.
    [[nodiscard]] std::size_t slotOf(std::string_view id) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t slot = std::hash<std::string_view>()(id) & mask;
        while (m_slots[slot] != Free && m_ids[m_slots[slot]] != id)
            slot = (slot + 1) & mask;
        return slot;
    }

    void grow()
    {
        m_slots.assign(2 * m_slots.size(), Free);
        for (std::size_t row = 0; row < m_ids.size(); ++row)
            m_slots[slotOf(m_ids[row])] = static_cast<std::uint32_t>(row);
    }

    const std::vector<std::string>& m_ids;
    std::vector<std::uint32_t> m_slots; ///< A power of two of them, at least half of them free.
};

} // namespace plimsoll
