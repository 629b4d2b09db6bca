#pragma once

#include "core/pipeline/pipeline.h"
#include "core/plan/policy_change.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// A combination of policies, and what its plan takes.
struct FitPlan
{
    std::vector<PolicyValue> changes; ///< Of the policies as they are; in the order of the table of policies.
    PlanCost cost;
    std::map<std::string, std::int64_t> use; ///< Memory space → bytes of its arenas.
    std::int64_t overBytes = 0;              ///< Beyond the capacities, over all memories. 0: it fits.
};

/// Whether \p a is cheaper: fewer nodes of which no time is known, then less time of the kernels (in whole ns), then
/// fewer changes, then the lower peak (bytes).
[[nodiscard]] bool cheaper(const FitPlan& a, const FitPlan& b);

/// Why no combination fits: what one memory must hold, whatever shares.
struct FitProof
{
    std::string space;
    std::int64_t boundBytes = 0;
    std::int64_t capacityBytes = 0;
    std::string node; ///< While it runs.
};

/// So many were planned, of so many that there are.
struct FitTries
{
    std::size_t tried = 0;
    std::size_t all = 0;
};

/// What the search for a combination that fits came to.
struct Fit
{
    FitPlan asItIs;
    std::optional<FitPlan> found; ///< The cheapest that fits, of those that were tried.
    FitPlan nearest;              ///< Of those the one with the least beyond the capacities, then the cheapest.
    std::optional<FitProof> proof;
    Message incomplete;   ///< What is missing, so that nothing is said to fit; empty: nothing is.
    bool stopped = false; ///< Before everything was tried that should have been.
    FitTries singles;
    FitTries pairs;
    std::int64_t plans = 0; ///< All that were made.
};

/// So many plans are made at most, unless told otherwise: fewer of a large graph.
[[nodiscard]] std::int64_t mostFitPlans(const Graph& graph);

/// The cheapest combination of policies whose plan keeps the policy capacity.
///
/// As things are, if that fits: nothing is changed that need not be. Else a proof that none can fit is looked for, then
/// every single change is planned for real, then every two of them, those that save most alone first. Where none of
/// these fits, changes are added one by one, each the one that leaves least beyond the capacities. At most \p mostPlans
/// plans are made, a fifth of them for the last part; so the answer is the same on every machine.
///
/// A combination counts only if its plan breaks no more rules than the plan as it is, leaves no more to the run, and
/// puts bytes in no other memory. Nothing is changed that says what the caller gets, and no graph changes its terms
/// (backend=captured).
///
/// BadUsage without a capacity. A stop request ends it with what there is by then.
[[nodiscard]] Result<Fit> findFit(const Graph& graph, PlanRequest request, std::int64_t mostPlans,
                                  const Context& context);

/// Whether it fits, and by what; else the proof, or how near the nearest came, and what was tried.
[[nodiscard]] Message fitSentence(const Fit& fit);

} // namespace plimsoll
