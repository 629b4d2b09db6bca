#pragma once

#include "core/pipeline/pipeline.h"
#include "core/plan/policy_change.h"

#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll {

[[nodiscard]] PlanCost costOf(const Report& report);

/// A policy and one of its values.
using PolicySetting = std::pair<std::string_view, std::string_view>;

/// Every other value of each policy that has an effect and a list of values, in the order of the table.
[[nodiscard]] std::vector<PolicySetting> singleChanges(const Policies& policies);

/// Whether the catalogue has anything of a backend; what is not on offer would be planned for plain loops. The graph's
/// own terms are no change of how it is computed.
[[nodiscard]] bool isOffered(const PlanRequest& request, std::string_view backend);

/// The same request with that one policy set, and without a list of decisions.
[[nodiscard]] Result<PlanRequest> withChange(const PlanRequest& request, const PolicySetting& change);

/// Plans every single change for real, ranked as rank() does beside the plan without any. Left out are those that
/// cannot be planned, and those that make the same plan: they cannot act on this graph. A stop request ends it with
/// what there is by then.
[[nodiscard]] std::vector<PolicyChange> priceChanges(const Graph& graph, PlanRequest request, const Context& context);

/// Plans every two of the changes that lower the peak most alone, of different policies, and keeps what takes fewer
/// bytes in all than each of the two. \p changes as priceChanges() leaves them, \p peakBytes of the plan without them.
[[nodiscard]] std::vector<PolicyChange> pricePairs(const Graph& graph, PlanRequest request,
                                                   const std::vector<PolicyChange>& changes, std::int64_t peakBytes,
                                                   const Context& context);

/// Those that lower the peak first; of them, and of the others, what takes least of arenas and caller together first,
/// of equal ones the lower peak. \p peakBytes of the plan without them.
void rank(std::vector<PolicyChange>& changes, std::int64_t peakBytes);

} // namespace plimsoll
