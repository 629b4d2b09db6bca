#pragma once

#include "core/facts/focus.h"
#include "core/plan/program.h"

namespace plimsoll {

/// What a plan moves as one: a value with all that must share its bytes, a whole storage, or a scratchpad.
struct Movable
{
    std::vector<ValueId> values; ///< None of a scratchpad.
    NodeId scratchOf;
    ArenaId arena; ///< Invalid: nothing that lies in one.
    Interval bytes;
    LiveRanges live;
    std::int64_t grid = 1; ///< The alignment of the arena.
};
[[nodiscard]] Movable movableOf(const PlannedProgram& program, const Focus& focus);

/// What else lies in an arena while something is alive.
struct Neighbour
{
    ValueId value;
    NodeId scratchOf; ///< Where it is no value.
    Interval bytes;
};
[[nodiscard]] std::vector<Neighbour> neighboursOf(const PlannedProgram& program, const Movable& moved);

/// Those that it would meet at an offset.
[[nodiscard]] std::vector<Neighbour> metAt(const Movable& moved, std::int64_t offset,
                                           const std::vector<Neighbour>& neighbours);
/// Offsets on the grid at which it would begin behind one of them, end before one, or begin the arena; ascending.
[[nodiscard]] std::vector<std::int64_t> snugOffsets(const Movable& moved, const std::vector<Neighbour>& neighbours);
/// The next of them above (below) where it lies at which it meets nothing.
[[nodiscard]] std::optional<std::int64_t> nextFreeOffset(const PlannedProgram& program, const Movable& moved,
                                                         bool above);

} // namespace plimsoll
