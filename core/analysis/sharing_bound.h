#pragma once

#include "core/analysis/value_facts.h"

#include <string>

namespace plimsoll {

struct SharingBound
{
    std::int64_t bytes = 0;
    std::int64_t step = 0; ///< The first one at which so many are there.
};

/// What no legal plan of the order is below, whatever shares its bytes: the most that must be there at one step.
///
/// Counted is the content that a later step is sure to read (inside of nested graphs: a step that runs whenever the one
/// that is looked at does), what a node writes, and its scratchpad. What may lie in the same bytes counts once, with
/// the largest:
///
/// - views, versions, identities and what travels in and out of nested graphs;
/// - at its node, an output and an input that it may be written over: those of them count, inputs or outputs, that are
///   less together.
///
/// What may lie in the caller's bytes counts nowhere. \p alignment is the smallest that an arena has. Only values of
/// \p space count; empty: of all.
[[nodiscard]] SharingBound boundForAnySharing(const Graph& graph, const Schedule& schedule, const ValueFacts& facts,
                                              const Implementations& implementations, const Policies& policies,
                                              std::int64_t alignment, std::string_view space = {});

} // namespace plimsoll
