#pragma once

#include "core/graph/graph.h"
#include "core/plan/decision.h"
#include "core/plan/saved_tensor.h"

#include <string>
#include <vector>

namespace plimsoll {

struct RecomputeRequest
{
    bool cheap = false;             ///< Wherever it is cheap and less is kept then.
    std::vector<std::string> names; ///< Values that are computed anew at any price.
};

/// A training graph of which less is kept.
struct Recomputation
{
    Graph graph;
    std::vector<SavedTensor> saved;
    std::vector<RecomputedTensor> recomputed;
    std::vector<Message> notes; ///< Names that cannot be computed anew.
};

/// Computes in backward anew what is cheap to compute (isCheap), where fewer bytes are kept then: of all sets of
/// tensors from which the rest follows cheaply, backward keeps the smallest, and of equal ones the one that leaves
/// least to compute.
///
///     forward    conv ──► norm ──► relu ──► conv        kept without it: relu's result, for relu and conv, and
///                  │ kept                               conv's, for norm
///     backward     └─► norm' ─► relu' ─► ∂conv ∂relu    copies run before their first reader; conv's alone is kept
///
/// As in MXNet, inputs are counted as if they were kept for it. What is changed in place, random or an output stays as
/// it is. No more than four tensors that backward reads are computed one from the other: the first reader needs them
/// all.
[[nodiscard]] Recomputation recompute(Graph graph, std::vector<SavedTensor> saved, const RecomputeRequest& request,
                                      const DecisionLog& log);

} // namespace plimsoll
