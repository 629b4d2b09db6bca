#pragma once

#include "core/analysis/stream_order.h"

#include <optional>

namespace plimsoll {

/// What wants bytes: a storage or a scratchpad.
struct StreamClient
{
    ArenaId arena;
    LiveRanges live;              ///< In steps of the schedule.
    std::vector<NodeId> accesses; ///< Nodes of the top that read or write it.
};

/// Live ranges under which placement, which knows steps only, puts no two clients into the same bytes while nodes of
/// theirs are in no order. Those that would meet live together at a moment of their own, behind the last step:
///
///     step      0   1   2   3   4   5 | 6          a and c are of two streams that do not wait for each other:
///     a         [-------)             | [--)       one moment behind the schedule keeps them apart, and b may
///     b                 [-------)     |            still have the bytes of a
///     c                     [------)  | [--)
///
/// Nothing where that takes too many moments.
[[nodiscard]] std::optional<std::vector<LiveRanges>> keepApart(const StreamOrder& order,
                                                               const std::vector<StreamClient>& clients,
                                                               std::int64_t steps);

/// Every client is kept to the last step whose node may run beside its own: more than needed, but by steps alone.
[[nodiscard]] std::vector<LiveRanges> keepLonger(const StreamOrder& order, const std::vector<StreamClient>& clients);

} // namespace plimsoll
