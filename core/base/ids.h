#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace plimsoll {

/// Position of an object in the vector that owns it. Ids of different kinds cannot be mixed.
/// A default-constructed id is invalid (an absent optional input, a value without a storage).
template <typename Tag>
class StrongId
{
public:
    constexpr StrongId() = default;
    constexpr explicit StrongId(std::int32_t index) : m_index(index) {}
    constexpr explicit StrongId(std::size_t index) : m_index(static_cast<std::int32_t>(index)) {}

    [[nodiscard]] constexpr bool valid() const { return m_index >= 0; }
    [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(m_index); }
    [[nodiscard]] constexpr std::int32_t number() const { return m_index; }

    friend constexpr auto operator<=>(StrongId, StrongId) = default;

private:
    std::int32_t m_index = -1;
};

using ValueId = StrongId<struct ValueTag>;
using NodeId = StrongId<struct NodeTag>;
using BodyId = StrongId<struct BodyTag>;
using StorageId = StrongId<struct StorageTag>;
using ArenaId = StrongId<struct ArenaTag>;
using BufferId = StrongId<struct BufferTag>;

/// The body of the graph itself; every other body belongs to a node.
inline constexpr BodyId TopBody {std::int32_t {0}};

} // namespace plimsoll

template <typename Tag>
struct std::hash<plimsoll::StrongId<Tag>>
{
    std::size_t operator()(plimsoll::StrongId<Tag> id) const noexcept { return std::hash<std::int32_t>()(id.number()); }
};
