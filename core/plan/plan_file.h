#pragma once

#include "core/plan/memory_map.h"
#include "core/plan/streams.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// A plan by names, as plimsoll.plan/1 carries it: made elsewhere, to be judged or run.
struct PlanFile
{
    struct Entry
    {
        std::string value; ///< Or "scratch:<node name>" for a node's scratchpad.
        ArenaId arena;
        std::int64_t offset = 0;
        std::int64_t bytes = 0;
        std::string host {}; ///< Instead of an arena: the value of the caller in whose bytes it lies.
    };
    std::string file; ///< Where it was read, for errors; empty for a plan made here.
    std::optional<std::string> graphDigest;
    std::vector<PlannedArena> arenas;
    std::vector<Entry> entries;
    std::vector<std::string> fused;                ///< Values that it does without: a node hands them on inside.
    std::optional<std::vector<std::string>> steps; ///< Node names in order.
    std::optional<NamedStreams> streams {};        ///< Nothing: it says nothing of streams.
    std::vector<std::string> unknownKeys {};       ///< Places in the file that mean nothing here: "arenas[0].sise".
};

} // namespace plimsoll
