#pragma once

#include "core/lower/choose/dispatch.h"

namespace plimsoll {

/// Lets a node be computed along with those behind it where a backend offers that (Implementation::fuses) in less time:
///
///     x ──conv──a──add──b──relu──y            x ──conv(add, relu)──y          a and b are never stored
///                z─┘                            z─┘
///
/// The first node keeps its name and its step, reads what the others read beside (core/graph/graph.h) and writes
/// the last output; the others stay in the graph, but in no body. What is between them must be theirs alone: read once,
/// by the next; no output, nothing that the backward graph reads. What is read beside must be there when the first node
/// runs. Which operators go together is the backend's knowledge: here they are names in an offer.
///
/// Several offers for the same nodes: more nodes before fewer, then later nodes before earlier ones. Each fused-away
/// value, and each offer that was left, leaves a Decision.
[[nodiscard]] Graph fuse(Graph graph, const DispatchRequest& request, const DecisionLog& log);

} // namespace plimsoll
