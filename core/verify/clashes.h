#pragma once

#include "core/verify/plan_facts.h"

#include <map>
#include <tuple>

namespace plimsoll::verifying {

/// One side of a clash: a value, or the scratchpad of a node.
struct Party
{
    ValueId value;
    NodeId scratchOf;
    friend auto operator<=>(const Party&, const Party&) = default;
};

/// One thing that spoils another, as it was met on the walk.
struct Clash
{
    Rule rule = Rule::ClobberedRead;
    Party spoiled;
    Party spoiler; ///< Both ids invalid for an uninitialised read.
    NodeId reader; ///< Invalid at the end of the graph, where the caller reads.
    NodeId writer; ///< Invalid for bytes that were there before the run.
    std::int64_t readStep = 0;
    std::int64_t writeStep = 0;
    bool iterationBefore = false; ///< The write was one of an earlier iteration of a loop around the read.
    ArenaId arena;
    Interval bytes;
    ValueId readAs;                  ///< The identity or view of the spoiled value that is read; invalid for itself.
    std::int64_t declaredOffset = 0; ///< Parted: of the spoiler in the spoiled value, as the graph says.
};

/// Clashes of one pair are one cause and become one finding: the first one met, with the steps and bytes of all.
class Clashes
{
public:
    void add(const Clash& clash);

    /// So much is wrong that looking further tells nothing new.
    [[nodiscard]] bool enough() const;
    [[nodiscard]] std::vector<Finding> findings(const PlanFacts& facts) const;

private:
    struct Merged
    {
        Clash first;
        Interval steps;
        Interval bytes;
        std::int64_t times = 0;
    };
    std::vector<Merged> m_merged;
    std::map<std::pair<Party, Party>, std::size_t> m_index;
    std::int64_t m_events = 0;
};

} // namespace plimsoll::verifying
