#pragma once

#include "core/verify/accesses.h"
#include "core/verify/plan_facts.h"

namespace plimsoll::verifying {

/// How the plan lays a written value exactly on one of the reads, as the operator allows; null where it does not.
[[nodiscard]] const Join* joinOf(const PlanFacts& facts, const Accesses& accesses, const Write& write);

/// Whether the output keeps the bytes of the input as they are: nothing is written.
[[nodiscard]] bool relabels(const Join* join);

/// The bytes of its arena that a read needs.
[[nodiscard]] Interval readRange(const PlanFacts& facts, const Read& read);

} // namespace plimsoll::verifying
