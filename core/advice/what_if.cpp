#include "core/advice/what_if.h"

#include "core/facts/callers_bytes.h"
#include "core/facts/offers.h"
#include "core/facts/words/policy_effect.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace plimsoll {

PlanCost costOf(const Report& report)
{
    const KernelTime time = kernelTime(report.program);
    const auto steps = std::ranges::count(report.program.schedule.steps, StepKind::Node, &Step::kind);
    return {.peakBytes = report.memory.peakBytes,
            .externalBytes = callersBytes(report),
            .kernelMs = time.allMs,
            .measured = time.measured,
            .untimedNodes = time.untimedNodes,
            .savedBytes = report.training.boundaryBytes,
            .steps = steps};
}

namespace {

/// What a storage is, wherever it lies.
auto contentOf(const Report& report, const Storage& storage)
{
    std::vector<std::string_view> names;
    for (const ValueId value : storage.values)
        names.push_back((*report.program.graph)[value].name);
    if (storage.scratchOf.valid()) names.push_back((*report.program.graph)[storage.scratchOf].name);
    return std::tuple(storage.arena, storage.bytes, storage.live, std::move(names));
}

/// Whether each node is computed by an implementation of the same name.
bool sameNames(const Program& a, const Program& b)
{
    const std::size_t nodes = a.graph->nodes.size();
    if (b.graph->nodes.size() != nodes) return false;
    for (std::size_t node = 0; node < nodes; ++node) {
        const Implementation& one = a.implementations[NodeId(node)];
        const Implementation& other = b.implementations[NodeId(node)];
        if (one.backend != other.backend || one.name != other.name) return false;
    }
    return true;
}

/// Whether two reports are of the same plan. The search may put the same storages elsewhere each time, so offsets count
/// only where \p offsets says so.
bool samePlan(const Report& a, const Report& b, bool offsets)
{
    const auto sameStorage = [&](const Storage& one, const Storage& other) {
        return contentOf(a, one) == contentOf(b, other) && (!offsets || one.offset == other.offset);
    };
    const auto sameArena = [](const PlannedArena& one, const PlannedArena& other) {
        return one.space == other.space && one.alignment == other.alignment;
    };
    return a.memory.externalBytes == b.memory.externalBytes && a.memory.unplanned.size() == b.memory.unplanned.size() &&
           std::ranges::equal(a.program.storages, b.program.storages, sameStorage) &&
           std::ranges::equal(a.program.map.arenas, b.program.map.arenas, sameArena) && sameNames(a.program, b.program);
}

std::int64_t takenBytes(const PlanCost& cost)
{
    return checkedAdd(cost.peakBytes, cost.externalBytes).value_or(std::numeric_limits<std::int64_t>::max());
}

} // namespace

bool isOffered(const PlanRequest& request, std::string_view backend)
{
    if (backend == "auto" || backend == "reference") return true;
    if (!request.catalogue) return false;
    return std::ranges::any_of(request.catalogue->offers, [&](const auto& node) {
        return std::ranges::any_of(node.second, [&](const Implementation& offer) { return offer.backend == backend; });
    });
}

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
    request.recordDecisions = false;
    const Result<Report> base = analyse(graph, request, {context.stop, {}});
    if (!base.ok()) return priced;
    const std::vector<PolicySetting> changes = singleChanges(request.policies);
    for (std::size_t i = 0; i < changes.size() && !context.stopped(); ++i) {
        const auto& [policy, value] = changes[i];
        if (policy == "backend" && !isOffered(request, value)) continue;
        const PolicyInfo* const info = findPolicy(policy);
        if (!whyWithoutEffect(base.value().program, request.policies, *info).empty()) continue;
        context.report(std::string(policy) + "=" + std::string(value),
                       static_cast<double>(i) / static_cast<double>(changes.size()));
        const Result<PlanRequest> other = withChange(request, changes[i]);
        if (!other.ok()) continue;
        const Result<Report> report = analyse(graph, other.value(), {context.stop, {}});
        const bool offsets = info->stage == Stage::Place;
        if (!report.ok() || samePlan(base.value(), report.value(), offsets)) continue;
        priced.push_back({std::string(policy), std::string(value), costOf(report.value())});
    }
    rank(priced, base.value().memory.peakBytes);
    return priced;
}

std::vector<PolicyChange> pricePairs(const Graph& graph, PlanRequest request, const std::vector<PolicyChange>& changes,
                                     std::int64_t peakBytes, const Context& context)
{
    constexpr std::size_t MostSingles = 8;
    request.givenPlan.reset();
    std::vector<PolicyChange> best = changes;
    std::erase_if(best, [&](const PolicyChange& one) { return one.cost.peakBytes >= peakBytes; });
    std::ranges::stable_sort(best, {}, [](const PolicyChange& one) { return one.cost.peakBytes; });
    best.resize(std::min(best.size(), MostSingles));
    std::vector<PolicyChange> pairs;
    for (std::size_t b = 1; b < best.size(); ++b) {
        for (std::size_t a = 0; a < b && !context.stopped(); ++a) {
            if (best[a].policy == best[b].policy) continue;
            const bool inOrder = findPolicy(best[a].policy) < findPolicy(best[b].policy);
            const PolicyChange& first = inOrder ? best[a] : best[b];
            const PolicyChange& second = inOrder ? best[b] : best[a];
            context.report(first.policy + "=" + first.value + ", " + second.policy + "=" + second.value,
                           static_cast<double>(b) / static_cast<double>(best.size()));
            const Result<PlanRequest> one = withChange(request, {first.policy, first.value});
            if (!one.ok()) continue;
            const Result<PlanRequest> both = withChange(one.value(), {second.policy, second.value});
            if (!both.ok()) continue;
            const Result<Report> report = analyse(graph, both.value(), {context.stop, {}});
            if (!report.ok()) continue;
            const PlanCost cost = costOf(report.value());
            const std::int64_t alone = std::min(takenBytes(first.cost), takenBytes(second.cost));
            if (takenBytes(cost) < alone)
                pairs.push_back({first.policy, first.value, cost, {{second.policy, second.value}}});
        }
    }
    return pairs;
}

void rank(std::vector<PolicyChange>& changes, std::int64_t peakBytes)
{
    std::ranges::stable_sort(changes, {}, [&](const PolicyChange& one) {
        return std::tuple(one.cost.peakBytes >= peakBytes, takenBytes(one.cost), one.cost.peakBytes,
                          one.cost.untimedNodes, one.cost.kernelMs);
    });
}

} // namespace plimsoll
