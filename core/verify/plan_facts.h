#pragma once

#include "core/ops/trait_table.h"
#include "core/verify/verifier.h"

#include <set>
#include <utility>

namespace plimsoll::verifying {

/// What the judge needs to know of one value, found once.
struct PlaceFacts
{
    std::int64_t logicalBytes = -1;  ///< -1: not known before the run.
    std::int64_t requiredBytes = -1; ///< What its writer may touch; at least the logical bytes.
    bool plain = true;               ///< Row-major; elements of other layouts are anywhere in the required bytes.
    bool external = false;           ///< The caller's bytes, or computed ahead of the run.
    bool aliasesCaller = false;      ///< Declared to be (a part of) a value outside the arenas, and placed nowhere.
    bool aliasesByChoice = false;    ///< …and some link of that chain is an identity, which a plan need not use.
    bool walkable = false; ///< Lies in an arena of the plan or in a host's bytes, at addresses that can be told.
    bool brought = false;  ///< An output that the caller brings a buffer for: its own host.
    ValueId host;          ///< Whose bytes it aliases; invalid when that is unplanned itself.
    ArenaId arena;         ///< Or, behind the last arena, the number of the host among hosts.
    Interval read;         ///< Bytes that a reader needs.
    Interval write;        ///< Bytes that its writer may touch.
};

/// The same for the temporary of a node.
struct ScratchFacts
{
    NodeId node;
    bool walkable = false;
    ArenaId arena;
    Interval write;
    std::int64_t requiredBytes = 0;
    std::int64_t reservedBytes = 0;
};

/// The input with the facts of its map; everything later is told in these terms.
struct PlanFacts
{
    const Program& program;
    const MemoryMap& map;
    bool ownPlan = false;
    TraitTable traits;                               ///< The judge's own.
    std::vector<PlaceFacts> values;                  ///< By ValueId.
    std::vector<ValueId> hosts;                      ///< Values of the caller in whose bytes others lie.
    std::vector<ScratchFacts> scratch;               ///< As in the map, without entries of nodes that do not exist.
    std::vector<std::vector<std::size_t>> scratchOf; ///< By NodeId: indexes into scratch.
    std::set<std::pair<NodeId, ValueId>> moved {};   ///< What a node reads elsewhere than where it would write over it.

    /// Arenas of the plan, then one for the bytes of each host.
    [[nodiscard]] std::size_t regions() const { return map.arenas.size() + hosts.size(); }
    [[nodiscard]] const Graph& graph() const { return *program.graph; }
    [[nodiscard]] const PlaceFacts& operator[](ValueId value) const { return values[value.index()]; }
};

[[nodiscard]] PlanFacts collectFacts(const VerifyInput& input);

/// By ValueId, of values whose size only the run knows: the most bytes that each can have, found step by step as the
/// program runs (size_bounds.cpp); -1 for all others and where nothing bounds it.
[[nodiscard]] std::vector<std::int64_t> sizeBounds(const Program& program);

/// Whether the input may be written over: the caller cannot look at it afterwards, and it was donated or lies in an
/// arena, where only a copy of what the caller has is brought.
[[nodiscard]] bool isGivenAway(const PlanFacts& facts, ValueId value);

/// What the forward half makes and the backward half reads; nothing where there are no two halves.
[[nodiscard]] std::vector<ValueId> keptForBackward(const PlanFacts& facts);

/// Whether a backward node reads what the forward half has made for it. No node: the caller reads an output.
[[nodiscard]] bool readsKept(const Graph& graph, ValueId value, NodeId reader);

/// The layout in which its producer leaves the value.
[[nodiscard]] std::string_view writtenLayout(const Program& program, const Value& value);

} // namespace plimsoll::verifying
