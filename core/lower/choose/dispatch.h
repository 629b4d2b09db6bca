#pragma once

#include "core/base/progress.h"
#include "core/ops/reorder_node.h"
#include "core/plan/decision.h"
#include "core/plan/implementation.h"
#include "core/plan/policies.h"

namespace plimsoll {

/// One way to compute all nodes of a graph: which of its candidates each takes. See ways.h.
struct Way
{
    std::vector<std::size_t> candidates; ///< By NodeId: the number among what may be chosen for it.
    std::vector<NodeId> apart;           ///< Of nodes that could compute others, too: those that do not. Sorted.
    double ms = 0;                       ///< Of nodes and reorders.
    std::int64_t bytes = 0;              ///< The most alive at once, as offers let expect.
};

/// What a choice of implementations depends on beside the graph.
struct DispatchRequest
{
    const Catalogue& catalogue;
    const Policies& policies; ///< backend, fusion and padding.
    /// Node → the implementation it must have: the name, the backend, or "backend:name". Goes before the policy
    /// backend.
    const std::map<std::string, std::string>& pins;
    /// For a plan at hand: the values that it does without. Nothing else is fused away.
    const std::vector<std::string>* withoutBytes = nullptr;
    bool onlyPinned = false;  ///< Nodes without a pin are taken as captured: nothing is put around sparse tensors.
    const Way* way = nullptr; ///< Null: the fastest.
};

/// A graph whose nodes know their implementations.
struct Dispatch
{
    Graph graph; ///< With reorders and copies; what was there keeps its ids.
    Implementations implementations;
    std::vector<DenseFallback> fallbacks {}; ///< Of dispatchSparse(), which comes first.
};

/// Fuses nodes (core/lower/choose/fusion.h), then chooses an implementation for every node such that their times and
/// those of the reorders between them are least, over the whole graph, and inserts the reorders:
///
///     conv ──a (nChw8c)──► relu ──b (nChw8c)──► reorder ──b:plain──► reshape
///
/// A reorder is a node of its own (plimsoll::Reorder) with fresh bytes, placed right before the first reader; one
/// serves all readers. What the caller or a nested graph is handed is plain and keeps its name; what is known before
/// the run, weights above all, is reordered ahead of it. Every offer that was taken or left leaves a Decision with its
/// price.
///
/// A copy between memories is a node, too (device_copies.h), and its time counts like that of a reorder.
///
/// Errors: a pin whose node or implementation does not exist (BadUsage); Stopped. Tells \p context how much of all
/// this is done.
[[nodiscard]] Result<Dispatch> dispatch(Graph graph, const DispatchRequest& request, const DecisionLog& log,
                                        const Context& context);

} // namespace plimsoll
