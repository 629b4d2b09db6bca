#pragma once

#include "core/analysis/alias_sets.h"
#include "core/analysis/lifetimes.h"
#include "core/plan/implementation.h"
#include "core/plan/policies.h"

namespace plimsoll {

/// Whose bytes a value lives in.
enum class Residence : std::uint8_t {
    Planned,   ///< An arena's.
    External,  ///< The caller's, or those of a constant: inputs, parameters, constants, and what is a part of them, but
               ///< for what the graph wants in an arena;
               ///< under outputs=external, the buffer that he brings for an output.
    Absent,    ///< None: it goes from one operation of a node to the next, or its node was merged or dropped.
    Unplanned, ///< Not known yet: the size is known at run time only.
};

/// What holds of each value before anything is shared; of the policies, outputs and inputs say whose its bytes are.
/// All vectors by ValueId; traits by NodeId.
struct ValueFacts
{
    TraitTable traits;
    AliasSets aliases;
    std::vector<LiveRanges> live;
    /// The Leave that writes the input of a loop's body anew when what was there is not needed; -1 for all others.
    std::vector<std::int64_t> renewedAt;
    std::vector<std::int64_t> requiredBytes; ///< What the chosen implementation wants; -1 where the size is not known.
    std::vector<std::int64_t> largestBytes;  ///< See largest_bytes.h; what is required under dynamic=bounded.
    std::vector<Residence> residence;
    /// MemorySpace: the value's own, or its producer's device; "cpu" by default. Texts of the graph.
    std::vector<std::string_view> space;
    std::vector<bool> isOutput; ///< Of the whole graph.
    std::vector<bool> donated;  ///< Graph inputs that the caller gave away: dead after the last read.
    std::vector<bool> saved {}; ///< Read by the backward graph too; empty where there is none.
};

/// Of the policies, outputs and inputs say what is the caller's.
[[nodiscard]] ValueFacts findValueFacts(const Graph& graph, const Schedule& schedule,
                                        const Implementations& implementations, const Policies& policies = {});

} // namespace plimsoll
