#pragma once

#include "core/graph/schedule.h"
#include "core/plan/constraints.h"
#include "core/plan/handle.h"
#include "core/plan/implementation.h"
#include "core/plan/memory_map.h"
#include "core/plan/policies.h"
#include "core/plan/storage.h"
#include "core/plan/streams.h"

#include <memory>
#include <vector>

namespace plimsoll {

/// The thing that runs: which nodes, in which order, on which streams, each computed how. Says nothing of addresses.
struct Program
{
    /// As lowered: typed and folded, with its backward half and what was inserted. What passes decided of its nodes and
    /// values is in \c decided.
    std::shared_ptr<const Graph> graph;
    Schedule schedule;
    Implementations implementations;
    StreamPlan streams;
    Policies policies;
    Constraints constraints; ///< Of values that were captured; the judge holds the plan against them.
};

/// One value as it was planned.
struct PlannedValue
{
    StorageId storage;                     ///< Invalid for unplanned values, and for those that are fused away.
    bool visible = false;                  ///< A graph output, or an input that the caller can look at.
    bool shared = false;                   ///< Shares its storage with another value…
    AliasKind sharedAs = AliasKind::Fresh; ///< …in this way, as the later of the two.
    std::int64_t logicalBytes = -1;        ///< -1: unknown before the run.
    std::int64_t requiredBytes = -1;       ///< What the chosen implementation wants; at least the logical bytes.
    std::int64_t offset = 0;               ///< In its arena.
    LiveRanges live;
};

/// Whether it is planned at the most bytes that it can have; how many it has only the run knows.
[[nodiscard]] inline bool isBounded(const PlannedValue& value)
{
    return value.storage.valid() && value.logicalBytes < 0 && value.requiredBytes >= 0;
}

/// Those of its elements, or the most that they can be; -1: not even that is known.
[[nodiscard]] inline std::int64_t mostBytes(const PlannedValue& value)
{
    return value.logicalBytes >= 0 ? value.logicalBytes : value.requiredBytes;
}

/// A program with its memory map: what is executed.
struct PlannedProgram : Program
{
    MemoryMap map;
    std::vector<Storage> storages;    ///< By StorageId; external ones have no arena.
    std::vector<PlannedValue> values; ///< By ValueId.
    std::vector<Handle> handles; ///< One for each output position, then one for each input that the caller can see.
    bool ownPlan = true;         ///< False: the plan was handed in and only judged.
};

} // namespace plimsoll
