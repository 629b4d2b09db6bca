#pragma once

#include "core/verify/accesses.h"

namespace plimsoll::verifying {

/// By write: joinOf() each.
[[nodiscard]] std::vector<const Join*> joinsOf(const PlanFacts& facts, const Accesses& accesses);

/// A node that makes nothing but views needs no more of its input than the views show.
void narrowToViews(const PlanFacts& facts, Accesses& accesses, const std::vector<const Join*>& joined);

/// Whether what the node writes is the new version of what lies in the same bytes, whether it looks at that or not: the
/// graph's own wish. checkBoundary() speaks of it where they are the caller's.
[[nodiscard]] bool isNewVersion(const PlanFacts& facts, NodeId node, ValueId written, const Join* join);

/// A finding that the node writes \p bytes of \p written over \p over; its message and fix are left to the caller.
[[nodiscard]] Finding overwriting(const PlanFacts& facts, Rule rule, NodeId node, ValueId written, ValueId over,
                                  Interval bytes);

} // namespace plimsoll::verifying
