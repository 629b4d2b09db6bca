#pragma once

#include "core/lower/choose/dispatch.h"

namespace plimsoll {

struct SparseDispatch
{
    Graph graph;                          ///< With conversions; what was there keeps its ids.
    std::vector<DenseFallback> fallbacks; ///< In order of the nodes.
};

/// Decides for every node that reads or leaves sparse tensors whether an offer computes it as they are kept; where
/// none does, or may (policy sparse), it gets dense temporaries:
///
///     x (csr) ──► CastStorage ──x:dense──► Relu ──y:dense──► CastStorage ──y (csr)──►
///
/// A conversion is a node of its own (plimsoll::CastStorage) like any other: planned, checked and executed. One serves
/// all readers; parameters are converted anew in every run, since what a fallback takes is a part of the plan. What
/// nested graphs take and hand out is dense. Every choice leaves a Decision.
[[nodiscard]] SparseDispatch dispatchSparse(Graph graph, const DispatchRequest& request, const DecisionLog& log);

} // namespace plimsoll
