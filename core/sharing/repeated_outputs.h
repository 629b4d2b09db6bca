#pragma once

#include "core/ops/trait_table.h"
#include "core/sharing/sharing.h"

#include <utility>

namespace plimsoll {

/// Two outputs of a branching node that hold the same, whatever branch runs.
struct RepeatedOutput
{
    NodeId owner;
    ValueId first;
    ValueId second;
    std::vector<std::pair<ValueId, ValueId>> handed; ///< By body: what it hands out as the one and as the other.
};

/// In order of the nodes; each branch hands out one value twice, or identities of one value.
[[nodiscard]] std::vector<RepeatedOutput> repeatedOutputs(const Graph& graph, const TraitTable& traits);

/// Whether each branch hands both over from one place: then both stay there, or one copy serves both.
[[nodiscard]] bool handedFromOnePlace(const Sharing& sharing, const RepeatedOutput& repeated);

} // namespace plimsoll
