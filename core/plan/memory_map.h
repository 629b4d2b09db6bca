#pragma once

#include "core/base/ids.h"
#include "core/base/interval.h"
#include "core/plan/problem.h"
#include "core/plan/reserved_bytes.h"

#include <string>
#include <vector>

namespace plimsoll {

/// Where one value's bytes are.
struct ValuePlacement
{
    ArenaId arena;           ///< Invalid: not in a planned arena (external, unplanned, or missing).
    std::int64_t offset = 0; ///< Bytes from the start of the arena, or of what the host has.
    std::int64_t bytes = 0;  ///< Reserved for it: at least its required bytes.
    /// Without an arena: whose bytes of the caller it lies in. Itself for an output that the caller brings a buffer
    /// for.
    ValueId host {};

    [[nodiscard]] bool placed() const { return arena.valid(); }
    friend bool operator==(const ValuePlacement&, const ValuePlacement&) = default;
};

/// A temporary of one node, live at its step only.
struct ScratchPlacement
{
    NodeId node;
    ValuePlacement where;
    friend bool operator==(const ScratchPlacement&, const ScratchPlacement&) = default;
};

struct PlannedArena
{
    std::string space = "cpu";
    std::int64_t bytes = 0;
    std::int64_t alignment = 64;
    std::optional<std::int64_t> capacityBytes;
    std::vector<ReservedBytes> reserved {};
};

/// Every value at its bytes: what the verifier judges, the executor obeys and plimsoll.plan/1 carries.
/// Says nothing of why; two values at the same bytes share.
struct MemoryMap
{
    std::vector<PlannedArena> arenas;      ///< By ArenaId.
    std::vector<ValuePlacement> values;    ///< By ValueId.
    std::vector<ScratchPlacement> scratch; ///< At most one for a node.
};

/// Free bytes of an arena with live ones above them, as a rectangle of steps × bytes: what a better placement might
/// fill.
struct Hole
{
    ArenaId arena;
    Interval steps;
    Interval bytes;

    /// Bytes × steps; the product may be beyond 63 bits.
    [[nodiscard]] double area() const
    {
        return static_cast<double>(steps.length()) * static_cast<double>(bytes.length());
    }
};

} // namespace plimsoll
