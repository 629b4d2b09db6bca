#pragma once

#include "core/lower/gradient/backward.h"
#include "core/plan/calls.h"

namespace plimsoll {

/// The graph of several calls of one bound graph, one after the other.
///
///     forward, forward, backward, backward
///
///     x   ─► F ──────────────────────► B ─► grad:w       each call has inputs and outputs of its own,
///     x@2 ─────► F@2 ─► B@2 ─► grad:w@2                  and keeps its own; parameters are the same bytes for all
///
/// What a call writes to a parameter, or adds to a gradient, the next one finds there: of several versions only the
/// last is handed out. Where no gradient is wanted a backward does nothing.
/// BadUsage: a backward of a graph without a loss.
[[nodiscard]] Result<JointGraph> repeatCalls(JointGraph joint, const std::vector<Call>& calls);

} // namespace plimsoll
