#pragma once

#include "core/graph/graph.h"
#include "core/ops/saving.h"
#include "core/plan/decision.h"
#include "core/plan/policies.h"

namespace plimsoll {

/// A forward graph with the gradients of everything that requires one.
///
///     forward   0 mul ──► 1 mm ──► 2 sum            a backward node for each forward node, in reverse order; it reads
///                │ saved    │ saved    │            the gradients of the outputs and what was saved, and nothing else
///     backward  5 mul ◄── 4 mm ◄── 3 sum ◄── 1
struct JointGraph
{
    Graph graph; ///< Ids of the forward graph stay; gradients are its last outputs (boundary.gradients).
    std::vector<SavedTensor> saved;
    std::vector<Message> notes;
};

/// The shipped set that a policy asks for, with \p extra on top; and the rule.
[[nodiscard]] DerivativeSet derivativesFor(SavedPolicy policy, const std::vector<Derivative>& extra);
[[nodiscard]] SavingRule savingRuleOf(SavedPolicy policy);

/// Names outputs that the rule keeps and that have no name (the mask of a Dropout, the statistics of a normalisation),
/// where a gradient may pass.
[[nodiscard]] Graph nameSavedOutputs(Graph graph, const DerivativeSet& derivatives, SavingRule rule);

/// Adds the backward graph of graph.loss; a graph without one is handed back as it is.
///
/// Gradients that are the incoming ones, seen in another shape or broadcast, are views of them and take no bytes. The
/// contributions to one gradient are summed by one node where there are fewer than eight, and added one by one to an
/// accumulator otherwise. Errors: a loss that is no scalar, an operator without a derivative on the way.
[[nodiscard]] Result<JointGraph> addBackward(Graph graph, const DerivativeSet& derivatives, SavingRule rule,
                                             const DecisionLog& log);

} // namespace plimsoll
