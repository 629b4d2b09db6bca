#pragma once

#include "core/plan/finding.h"
#include "core/plan/program.h"

#include <span>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// One of the orders in which the streams of a plan may run the nodes of the top.
struct RunOrder
{
    std::string name; ///< "stream 1 first", "'b' before 'a'"
    std::vector<NodeId> nodes;
};

/// Orders beside the captured one that the streams and events of the plan allow: for each stream the one that runs its
/// nodes as early as may be, so that every two nodes without an order run either way round; and for each race that was
/// found (the first 32) the one that shows it: up to the earlier node, then what the later one needs, the later one,
/// and the earlier one behind it. Each order once. Empty for a plan of one stream.
[[nodiscard]] std::vector<RunOrder> otherOrders(const Program& program, std::span<const Finding> findings);

} // namespace plimsoll::kernels
