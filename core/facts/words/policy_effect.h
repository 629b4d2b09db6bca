#pragma once

#include "core/plan/policy_change.h"
#include "core/plan/program.h"

#include <string>

namespace plimsoll {

/// "only with placement=storage-reuse": what the policy counts with.
[[nodiscard]] Message onlyWith(const PolicyInfo& policy);

/// Why nothing would change, whatever the value: "only with placement=storage-reuse", "the graph has no loss". Empty
/// where it may have an effect. \p program is of any plan of the graph.
[[nodiscard]] Message whyWithoutEffect(const Program& program, const Policies& policies, const PolicyInfo& policy);

/// The same of the value that \p program was planned with: "the file puts no node on a stream" is about
/// streams=captured alone. Empty for the default, and for what the graph decides.
[[nodiscard]] Message whyChosenWithoutEffect(const Program& program, const PolicyInfo& policy);

/// The first and the others.
[[nodiscard]] std::vector<PolicyValue> valuesOf(const PolicyChange& change);
/// "fold=all, cse=on"
[[nodiscard]] word::List changesList(const std::vector<PolicyValue>& changes);

} // namespace plimsoll
