#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Positions in a list by the names of its items, which the list alone keeps: 16 to 32 bytes for each name. nameOf says
/// the name of a position.
class NameIndex
{
public:
    template <typename NameOf>
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name, const NameOf& nameOf) const
    {
        if (m_slots.empty()) return std::nullopt;
        const Slot& slot = m_slots[slotOf(name, hashOf(name), nameOf)];
        return slot.position == Free ? std::nullopt : std::optional<std::size_t>(slot.position);
    }

    /// False where the name has a position already, which stays.
    template <typename NameOf>
    bool add(std::string_view name, std::size_t position, const NameOf& nameOf)
    {
        if (m_slots.size() < 2 * (m_names + 1)) resize(m_names + 1);
        const std::uint32_t hash = hashOf(name);
        Slot& slot = m_slots[slotOf(name, hash, nameOf)];
        if (slot.position != Free) return false;
        slot = {static_cast<std::uint32_t>(position), hash};
        ++m_names;
        return true;
    }

    /// Room for so many, so that it need not grow.
    void reserve(std::size_t names)
    {
        if (m_slots.size() < 2 * names) resize(names);
    }

private:
    static constexpr std::uint32_t Free = 0xFFFFFFFF;
    struct Slot
    {
        std::uint32_t position = Free;
        std::uint32_t hash = 0;
    };

    static std::uint32_t hashOf(std::string_view name)
    {
        return static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
    }

    /// The one that holds the name, or the free one where it belongs.
    template <typename NameOf>
    [[nodiscard]] std::size_t slotOf(std::string_view name, std::uint32_t hash, const NameOf& nameOf) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = hash & mask;
        while (m_slots[at].position != Free && (m_slots[at].hash != hash || nameOf(m_slots[at].position) != name))
            at = (at + 1) & mask;
        return at;
    }

    void resize(std::size_t names)
    {
        std::vector<Slot> old(std::bit_ceil(std::max<std::size_t>(64, 2 * names)));
        old.swap(m_slots);
        const std::size_t mask = m_slots.size() - 1;
        for (const Slot& slot : old) {
            std::size_t at = slot.hash & mask;
            while (slot.position != Free && m_slots[at].position != Free)
                at = (at + 1) & mask;
            if (slot.position != Free) m_slots[at] = slot;
        }
    }

    std::vector<Slot> m_slots; ///< A power of two of them, at least half of them free.
    std::size_t m_names = 0;
};

} // namespace plimsoll
