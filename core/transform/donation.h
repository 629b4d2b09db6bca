#pragma once

#include "core/plan/decision.h"
#include "core/transform/backward.h"

#include <string_view>
#include <vector>

namespace plimsoll {

/// Whether the backward graph may write over a tensor that is kept for it.
enum class Donation : std::uint8_t {
    Possible, ///< Nobody else has it; the policy does not ask for it.
    Donated,
    Input,    ///< Part of an input, a parameter or a constant: the caller's.
    Output,   ///< Part of an output of the forward graph.
    Gradient, ///< Part of a gradient that is handed out.
    Retained, ///< The graph is kept for another backward pass.
};
[[nodiscard]] std::string_view donationId(Donation donation); ///< "donated", "possible", "is an output"

/// By saved tensor: what may be done with it. \p gradients of the last outputs of the graph are gradients.
[[nodiscard]] std::vector<Donation> findDonations(const Graph& graph, std::size_t gradients,
                                                  const std::vector<SavedTensor>& saved, bool retained);

/// Lets backward nodes write over what \p saved gives them, where they are of one size, and lists that in the graph's
/// boundary. A node makes all of its results before it writes the first.
[[nodiscard]] Graph donate(Graph graph, const std::vector<SavedTensor>& saved, const std::vector<Donation>& donations,
                           const DecisionLog& log);

} // namespace plimsoll
