#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Why a tensor is kept from forward to backward.
enum class SavingReason : std::uint8_t {
    Needed,           ///< A gradient that is wanted reads it.
    Output,           ///< Outputs are kept whenever there is a backward node.
    ListArgument,     ///< No guard: an argument with a gradient is a list.
    BackwardOperator, ///< No guard: the operator is itself part of a backward graph.
    SingleDerivative, ///< No guard, and none needed: the backward node is there for this gradient.
    NotPlainTensor,   ///< No guard: optional, or part of a list.
    SeveralFormulas,  ///< No guard: used by several formulas.
    JointFormula,     ///< No guard: one formula makes several gradients.
    SaveAll,          ///< Only since the policy keeps everything.
    Setting,          ///< Axes, pads and the like that are computed.
    Recomputation,    ///< Something that is not kept is computed from it anew.
    Captured,         ///< PyTorch's partitioner kept it.
};
[[nodiscard]] std::string_view savingReasonId(SavingReason reason); ///< "unguardable: joint formula"

/// A tensor that is kept from forward to backward.
struct SavedTensor
{
    ValueId value;
    NodeId savedBy;   ///< Of the forward graph.
    NodeId readBy;    ///< Its backward node.
    std::string name; ///< As the derivative calls it: "self", "result".
    SavingReason reason = SavingReason::Needed;
    std::size_t formulas = 0;       ///< That name it.
    std::vector<ValueId> neededFor; ///< Whose gradients read it; empty: it is kept needlessly.
};

/// Whether the backward graph may write over a tensor that is kept for it.
enum class Donation : std::uint8_t {
    Possible, ///< Nothing else has it; the policy does not ask for it.
    Donated,
    Input,    ///< Part of an input, a parameter or a constant: the caller's.
    Output,   ///< Part of an output of the forward graph.
    Gradient, ///< Part of a gradient that is handed out.
    Retained, ///< The graph is kept for another backward pass.
};
[[nodiscard]] std::string_view donationId(Donation donation); ///< "donated", "possible", "is an output"

/// A tensor that the backward graph reads and that is computed anew there instead of being kept.
struct RecomputedTensor
{
    ValueId value;                ///< Of the forward graph…
    ValueId copy;                 ///< …and what backward reads instead.
    std::vector<NodeId> nodes;    ///< Copies that run for it and for none before it.
    std::vector<SavedTensor> was; ///< What would be kept otherwise.
    std::int64_t movedBytes = 0;  ///< That its nodes read and write.
};

/// A tensor that is kept from forward to backward, as it was planned.
struct SavedReport
{
    SavedTensor tensor;
    std::int64_t bytes = 0;     ///< Logical; 0 for what the caller holds anyway: inputs, parameters, constants.
    std::int64_t heldBytes = 0; ///< Of what it is a part of: a saved view keeps all of it.
    Donation donation = Donation::Possible;
};

/// A tensor that backward computes anew instead of keeping it, and what that costs.
struct RecomputedReport
{
    RecomputedTensor tensor;
    std::int64_t bytes = 0; ///< Logical: what is not kept.
};

} // namespace plimsoll
