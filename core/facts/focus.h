#pragma once

#include "core/base/ids.h"
#include "core/base/interval.h"

#include <cstdint>

namespace plimsoll {

/// Bytes of an arena, at some steps or at all of them: what is pointed at in a plan.
struct PlanArea
{
    ArenaId arena; ///< Invalid: none.
    Interval bytes;
    Interval steps {}; ///< Empty: all.

    [[nodiscard]] constexpr bool valid() const { return arena.valid() && !bytes.empty(); }
    friend constexpr bool operator==(const PlanArea&, const PlanArea&) = default;
};

/// What the user looks at. Every view shows the same one. At most one of node, value, storage, finding and hole is what
/// was picked; the step cursor goes with any of them. The area is what was picked where none of them is, and else where
/// in it was pointed at.
struct Focus
{
    NodeId node;
    ValueId value;
    StorageId storage;
    std::int32_t finding = -1; ///< Index in Report::findings.
    std::int32_t hole = -1;    ///< Rank among the holes of the plan, see Report::holes.
    PlanArea area {};
    std::int64_t step = -1; ///< The step cursor; -1 is none.

    /// Whether it is a thing, and not merely an area or a step.
    [[nodiscard]] constexpr bool onThing() const
    {
        return node.valid() || value.valid() || storage.valid() || finding >= 0 || hole >= 0;
    }
    /// Whether anything but the step is set.
    [[nodiscard]] constexpr bool picked() const { return onThing() || area.valid(); }

    [[nodiscard]] static constexpr Focus on(NodeId node) { return {.node = node}; }
    [[nodiscard]] static constexpr Focus on(ValueId value) { return {.value = value}; }
    [[nodiscard]] static constexpr Focus on(StorageId storage) { return {.storage = storage}; }
    [[nodiscard]] static constexpr Focus onFinding(std::int32_t finding) { return {.finding = finding}; }
    [[nodiscard]] static constexpr Focus onHole(std::int32_t hole) { return {.hole = hole}; }
    [[nodiscard]] static constexpr Focus on(const PlanArea& area) { return {.area = area}; }
    [[nodiscard]] static constexpr Focus atStep(std::int64_t step) { return {.step = step}; }

    /// The same thing or area picked, wherever the step cursor is.
    [[nodiscard]] constexpr bool samePick(const Focus& other) const
    {
        return node == other.node && value == other.value && storage == other.storage && finding == other.finding &&
               hole == other.hole && (onThing() || area == other.area);
    }

    friend constexpr bool operator==(const Focus&, const Focus&) = default;
};

} // namespace plimsoll
