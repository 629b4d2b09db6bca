#pragma once

#include "core/graph/graph.h"
#include "core/plan/decision.h"
#include "core/plan/saved_tensor.h"

#include <vector>

namespace plimsoll {

/// By saved tensor: what may be done with it.
[[nodiscard]] std::vector<Donation> findDonations(const Graph& graph, const std::vector<SavedTensor>& saved,
                                                  bool retained);

/// Lets backward nodes write over the gradients that come to them, where they are of one size: only the plan
/// knows these. Whether a node does is said by its implementation; here a node makes all of its results before it
/// writes the first.
[[nodiscard]] Graph offerGradients(Graph graph);

/// Lets backward nodes write over what \p saved gives them, where they are of one size, and lists that in the graph's
/// boundary. A node makes all of its results before it writes the first.
[[nodiscard]] Graph donate(Graph graph, const std::vector<SavedTensor>& saved, const std::vector<Donation>& donations,
                           const DecisionLog& log);

} // namespace plimsoll
