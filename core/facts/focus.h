#pragma once

#include "core/base/ids.h"

#include <cstdint>

namespace plimsoll {

/// What the user looks at. Every view shows the same one. At most one of node, value, storage, finding and hole is what
/// was picked; the step cursor goes with any of them.
struct Focus
{
    NodeId node;
    ValueId value;
    StorageId storage;
    std::int32_t finding = -1; ///< Index in Report::findings.
    std::int32_t hole = -1;    ///< Rank among the holes of the plan, see Report::holes.
    std::int64_t step = -1;    ///< The step cursor; -1 is none.

    /// Whether anything but the step is set.
    [[nodiscard]] constexpr bool picked() const
    {
        return node.valid() || value.valid() || storage.valid() || finding >= 0 || hole >= 0;
    }

    [[nodiscard]] static constexpr Focus on(NodeId node) { return {.node = node}; }
    [[nodiscard]] static constexpr Focus on(ValueId value) { return {.value = value}; }
    [[nodiscard]] static constexpr Focus on(StorageId storage) { return {.storage = storage}; }
    [[nodiscard]] static constexpr Focus onFinding(std::int32_t finding) { return {.finding = finding}; }
    [[nodiscard]] static constexpr Focus onHole(std::int32_t hole) { return {.hole = hole}; }
    [[nodiscard]] static constexpr Focus atStep(std::int64_t step) { return {.step = step}; }

    /// The same thing picked, wherever the step cursor is.
    [[nodiscard]] constexpr bool samePick(const Focus& other) const
    {
        return node == other.node && value == other.value && storage == other.storage && finding == other.finding &&
               hole == other.hole;
    }

    friend constexpr bool operator==(const Focus&, const Focus&) = default;
};

} // namespace plimsoll
