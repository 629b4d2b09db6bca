#include "core/what_if.h"

#include "core/report/offers.h"

#include <algorithm>
#include <tuple>

namespace plimsoll {

PlanCost costOf(const Report& report)
{
    const KernelTime time = kernelTime(report);
    return {report.peakBytes, report.externalBytes, time.allMs, time.measured};
}

namespace {

/// Whether the catalogue has anything of a backend; what nobody offers would be planned for plain loops.
bool isOffered(const PlanRequest& request, std::string_view backend)
{
    if (backend == "auto" || backend == "reference") return true;
    if (!request.catalogue) return false;
    return std::ranges::any_of(request.catalogue->offers, [&](const auto& node) {
        return std::ranges::any_of(node.second, [&](const Implementation& offer) { return offer.backend == backend; });
    });
}

} // namespace

std::vector<PolicySetting> singleChanges(const Policies& policies)
{
    std::vector<PolicySetting> changes;
    for (const PolicyInfo& policy : policyTable()) {
        if (!hasEffect(policies, policy)) continue;
        const std::string chosen = policyValue(policies, policy.id);
        for (const std::string_view value : policy.values) {
            if (value != chosen) changes.emplace_back(policy.id, value);
        }
    }
    return changes;
}

Result<PlanRequest> withChange(const PlanRequest& request, const PolicySetting& change)
{
    PlanRequest other = request;
    other.recordDecisions = false;
    PLIMSOLL_TRY(setPolicy(other.policies, change.first, change.second));
    return other;
}

std::vector<PolicyChange> priceChanges(const Graph& graph, PlanRequest request, const Context& context)
{
    request.givenPlan.reset();
    std::vector<PolicyChange> priced;
    const std::vector<PolicySetting> changes = singleChanges(request.policies);
    for (std::size_t i = 0; i < changes.size() && !context.stopped(); ++i) {
        const auto& [policy, value] = changes[i];
        if (policy == "backend" && !isOffered(request, value)) continue;
        context.report(std::string(policy) + "=" + std::string(value),
                       static_cast<double>(i) / static_cast<double>(changes.size()));
        const Result<PlanRequest> other = withChange(request, changes[i]);
        if (!other.ok()) continue;
        const Result<Report> report = analyse(graph, other.value(), {context.stop, {}});
        if (report.ok()) priced.push_back({std::string(policy), std::string(value), costOf(report.value())});
    }
    std::stable_sort(priced.begin(), priced.end(), [](const PolicyChange& a, const PolicyChange& b) {
        return std::tie(a.cost.peakBytes, a.cost.externalBytes) < std::tie(b.cost.peakBytes, b.cost.externalBytes);
    });
    return priced;
}

} // namespace plimsoll
