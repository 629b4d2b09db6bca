#pragma once

#include "core/base/progress.h"
#include "core/plan/plan_file.h"
#include "core/report/report.h"

namespace plimsoll {

/// All that a plan depends on; nothing is read from the environment. Only app/ does that.
struct PlanRequest
{
    Policies policies;
    InferenceRequest shapes;
    std::shared_ptr<const Catalogue> catalogue; ///< Null: the reference backend alone.
    std::map<std::string, std::string> pins;    ///< Node → the implementation it must have, see dispatch.h.
    std::vector<Derivative> derivatives;        ///< Of operators, beside those that are shipped or in their place.
    std::optional<PlanFile> givenPlan;          ///< Judge this one and make none.
    bool recordDecisions = true;
};

/// The whole path: types → folding → backward graph → implementations → schedule → alias sets and live ranges → sharing
/// → placement → verification → report. A pure function of its arguments.
[[nodiscard]] Result<Report> analyse(const Graph& graph, const PlanRequest& request, const Context& context);

/// The plan of a report by names: what plimsoll.plan/1 carries, and what PlanRequest::givenPlan takes back.
[[nodiscard]] PlanFile planOf(const Report& report);

} // namespace plimsoll
