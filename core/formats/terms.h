#pragma once

#include "core/graph/graph.h"
#include "core/plan/plan_file.h"
#include "core/plan/policies.h"

#include <functional>
#include <set>
#include <string>

namespace plimsoll {

/// What a graph of a format is planned with where the request does not say otherwise: what its runtime does.
struct Terms
{
    std::optional<std::int64_t> alignment {};    ///< Where the runtime says one.
    BackendPolicy backend = BackendPolicy::Auto; ///< Captured where another runtime executes it.
};
[[nodiscard]] Terms termsOf(const Graph& graph);

/// Sets the policies whose default depends on the graph and the plan (PolicyInfo::graphDecides), but for those that
/// \p named has. A plan that is given is judged on its own terms, so that the verdict does not depend on the machine,
/// and by the coarsest power of two that all its arenas are aligned to. \p plan: null for one of our own.
void takeTerms(const Graph& graph, const PlanFile* plan, const std::set<std::string, std::less<>>& named,
               Policies& policies);

} // namespace plimsoll
