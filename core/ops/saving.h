#pragma once

#include "core/ops/derivatives/derivatives.h"
#include "core/plan/saved_tensor.h"

#include <vector>

namespace plimsoll {

/// The domain of backward nodes. Each carries its formulas as attributes, so that a joint graph is complete by itself.
inline constexpr std::string_view GradientDomain = "plimsoll.grad";
/// Whether it belongs to a backward graph of ours: computes a gradient, or anew what a gradient reads.
[[nodiscard]] inline bool isBackward(const Graph& graph, NodeId node)
{
    return graph[node].domain == GradientDomain || graph.decided[node].recomputes.valid();
}

enum class SavingRule {
    Guarded, ///< What PyTorch keeps: a guard for each argument that can have one.
    SaveAll, ///< Whatever any formula names.
    Exact,   ///< What the gradients that are wanted read, and nothing else.
};

/// One tensor that the backward node of an operator keeps.
struct SavedSlot
{
    bool output = false;      ///< An output of the operator; else an argument.
    std::size_t position = 0; ///< Of the output or argument.
    SavingReason reason = SavingReason::Needed;
    std::size_t formulas = 0; ///< That name it.
    std::vector<std::size_t>
        neededFor {}; ///< Arguments whose wanted gradients read its numbers; empty: kept needlessly.
};

/// Whether the output has the version counter of the input, as PyTorch counts: versions, views and what is detached
/// have, copies and Data have not.
[[nodiscard]] bool sharesVersionCounter(const Graph& graph, NodeId node, const AliasTrait& trait);

/// What the backward node keeps when the gradients of the arguments in \p wanted (by position) have to be computed: in
/// the order of names. Nothing where none is wanted, since there is no backward node then.
///
/// A guard lets an argument go where the one gradient that reads it is not wanted. It has one if all of these hold:
/// no argument with a gradient is a list; the name does not contain "backward"; there are at least two gradients;
/// the argument is a plain tensor; exactly one formula uses it; that formula makes one gradient only, or has a hint.
[[nodiscard]] std::vector<SavedSlot> savedSlots(const Derivative& derivative, SavingRule rule,
                                                const std::vector<bool>& wanted);

} // namespace plimsoll
