#pragma once

#include "core/graph/graph.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>

namespace plimsoll::verifying {

/// What decides which branch runs. Nodes that look at one condition, unchanged, and choose in the same way, take the
/// same.
struct ChoiceId
{
    ValueId condition;
    std::int64_t written = 0; ///< How often the condition had been written by then.
    NodeId owner;             ///< Only where there is no condition.
    std::int64_t branches = 0;
    friend auto operator<=>(const ChoiceId&, const ChoiceId&) = default;
};

/// Branches by number, half-open; the one behind the last is "none of them".
struct Branches
{
    std::int64_t begin = 0;
    std::int64_t end = std::numeric_limits<std::int64_t>::max();

    [[nodiscard]] bool contains(std::int64_t branch) const { return begin <= branch && branch < end; }
    friend auto operator<=>(const Branches&, const Branches&) = default;
};
[[nodiscard]] inline Branches intersection(Branches a, Branches b)
{
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// Which may have been taken. Of choices that are not listed: any.
using Taken = std::map<ChoiceId, Branches>;
[[nodiscard]] Branches takenBy(const Taken& taken, const ChoiceId& choice);

/// Those that the graph alone leaves open: a constant decides.
[[nodiscard]] Branches possibleBranches(const Graph& graph, NodeId owner);

/// The most times that a loop goes round, as constants and shapes say; the largest number where they say nothing.
[[nodiscard]] std::int64_t mostTrips(const Graph& graph, NodeId owner);

} // namespace plimsoll::verifying
