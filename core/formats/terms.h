#pragma once

#include "core/formats/format.h"

#include <functional>
#include <set>
#include <string>

namespace plimsoll {

/// Those of its format; the defaults where it has none that is known.
[[nodiscard]] Terms termsOf(const Graph& graph);

/// Whether it is a table of buffers: its nodes are moments of time, and compute nothing.
[[nodiscard]] bool isTable(const Graph& graph);

/// Sets the policies whose default depends on the graph and the plan (PolicyInfo::graphDecides), but for those that
/// \p named has. A plan that is given is judged on its own terms, so that the verdict does not depend on the machine,
/// and by the coarsest power of two that all its arenas are aligned to. \p plan: null for one of our own.
void takeTerms(const Graph& graph, const PlanFile* plan, const std::set<std::string, std::less<>>& named,
               Policies& policies);

} // namespace plimsoll
