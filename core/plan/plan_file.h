#pragma once

#include "core/plan/implementation.h"
#include "core/plan/memory_map.h"
#include "core/plan/streams.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// What a plan calls the scratchpad of a node: "scratch:conv1".
inline constexpr std::string_view ScratchPrefix = "scratch:";

/// A plan by names, as plimsoll.plan/1 carries it: made elsewhere, to be judged or run.
struct PlanFile
{
    struct Entry
    {
        std::string value; ///< Or that of a scratchpad, with ScratchPrefix.
        ArenaId arena;
        std::int64_t offset = 0;
        std::int64_t bytes = 0;
        /// Instead of an arena: the value of the caller in whose bytes it lies; itself for an output for which the
        /// caller brings a buffer.
        std::string host {};
        /// Of what was added beside the graph (reorders, copies, scratchpads): the position in \c steps of the step at
        /// or behind which it is written, -1 before the first.
        std::optional<std::int64_t> afterStep {};
    };
    std::string file;    ///< Where it was read, for errors; empty for a plan made here.
    bool edited = false; ///< Changed by hand since it was made.
    std::optional<std::string> graphDigest;
    std::vector<PlannedArena> arenas;
    std::vector<Entry> entries; ///< What was added beside the graph stands behind its values.
    /// Node → the implementation that the plan depends on, as a pin says it; other nodes need nothing but their
    /// tensors. Nothing: the plan does not speak of implementations.
    std::optional<std::map<std::string, std::string>> implementations {};
    std::map<std::string, std::vector<Implementation>> offers {}; ///< What is named there, described.
    std::vector<std::string> fused;                ///< Values that it does without: a node hands them on inside.
    std::optional<std::vector<std::string>> steps; ///< Node names in order.
    std::optional<NamedStreams> streams {};        ///< Nothing: it says nothing of streams.
    std::vector<std::string> unknownKeys {};       ///< Places in the file that mean nothing here: "arenas[0].sise".
};

/// As a request takes it: large ones are not copied from one request to the next.
[[nodiscard]] inline std::shared_ptr<const PlanFile> sharedPlan(PlanFile plan)
{
    return std::make_shared<const PlanFile>(std::move(plan));
}

/// Whether the plan itself says what its implementations need, so that it is judged alike on every machine.
[[nodiscard]] inline bool describesAll(const PlanFile& plan)
{
    return !plan.implementations || std::ranges::all_of(*plan.implementations, [&](const auto& named) {
        return named.second == ReferenceBackend || plan.offers.contains(named.first);
    });
}

} // namespace plimsoll
