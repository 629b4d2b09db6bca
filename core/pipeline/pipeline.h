#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/facts/report.h"
#include "core/lower/types/infer_types.h"
#include "core/ops/derivatives/derivatives.h"
#include "core/plan/constraints.h"
#include "core/plan/plan_file.h"

namespace plimsoll {

/// How long to look for a better plan. With neither limit, as long as defaultWorkLimit() says; with a work limit the
/// report depends on it and the seed alone.
struct SearchRequest
{
    std::uint64_t seed = 1;
    std::optional<std::int64_t> workLimit; ///< In units of about 10 ns.
    std::optional<double> secondsLimit;    ///< Infinite: to a proof, or until it is enough.
    std::stop_token enough {};             ///< Ends the search alone: the best plan so far is kept.
    /// Called from the searching thread at every better plan or bound; the second argument makes its whole report.
    /// May be empty.
    std::function<void(const Incumbent&, const std::function<Result<Report>()>&)> improved {};
};

/// All that a plan depends on; nothing is read from the environment. Only app/ does that.
struct PlanRequest
{
    Policies policies;
    InferenceRequest shapes;
    std::shared_ptr<const Catalogue> catalogue; ///< Null: the reference backend alone.
    Constraints constraints;
    std::vector<Derivative> derivatives;       ///< Of operators, beside those that are shipped or in their place.
    std::shared_ptr<const PlanFile> givenPlan; ///< Judge this one and make none.
    bool recordDecisions = true;
    SearchRequest search;
    /// Called for each report from a thread of its own, with the plan that is being judged then; the report waits for
    /// it. May be empty.
    std::function<void(const PlannedProgram&)> whileJudged {};
};

/// The whole path: types → folding → backward graph → calls → implementations → schedule → alias sets and live ranges →
/// sharing → placement → verification → report. A pure function of its arguments.
[[nodiscard]] Result<Report> analyse(const Graph& graph, const PlanRequest& request, const Context& context);

/// Sizes of dimensions that were not given, as all the allocations of a given plan want them; none where the assumed
/// ones fit. What is to be said of it, and of sizes that fit better without fitting all.
struct DimsOfPlan
{
    std::map<std::string, std::int64_t> dims;
    Message note;
};
[[nodiscard]] Result<DimsOfPlan> dimsOfPlan(const Graph& captured, const PlanRequest& request, const Context& context);

/// The graph that implementations are chosen for: typed, folded, with its backward half where it has a loss. So
/// backends can be asked what they offer for all of its nodes, before there is a plan.
[[nodiscard]] Result<Graph> graphToDispatch(const Graph& graph, const PlanRequest& request, const Context& context);

/// Whether what the backends of a machine offer has a say in the plan, or is told beside the verdict. \p given: null
/// for a plan of our own.
[[nodiscard]] bool asksBackends(const Graph& graph, const Policies& policies, const PlanFile* given);

/// Time against peak: plans fastest first, each with a lower peak than all before; over the whole graph, and all there
/// are where it is small or a chain (core/lower/choose/ways.h). Empty where nothing is on offer. Stopped where
/// \p context asks for it.
[[nodiscard]] Result<std::vector<TradeOff>> timeAgainstPeak(const Graph& graph, PlanRequest request,
                                                            const Context& context);

/// The plan of a report by names: what plimsoll.plan/1 carries, and what PlanRequest::givenPlan takes back.
[[nodiscard]] PlanFile planOf(const Report& report);

} // namespace plimsoll
