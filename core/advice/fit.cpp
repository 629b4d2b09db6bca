#include "core/advice/fit.h"

#include "core/advice/what_if.h"
#include "core/facts/completeness.h"
#include "core/facts/words/policy_effect.h"
#include "core/pipeline/bounds.h"
#include "core/plan/space_texts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace plimsoll {
namespace {

/// They say what the caller gets, and how often: nothing to save bytes with.
constexpr std::array AskedFor = {"gradients", "calls", "backwards", "retain-graph", "replay"};

using Changes = std::vector<PolicyValue>;

std::size_t placeOf(std::string_view policy)
{
    return static_cast<std::size_t>(findPolicy(policy) - policyTable().data());
}

Changes with(Changes changes, const PolicyValue& one)
{
    changes.push_back(one);
    std::ranges::sort(changes, {}, [](const PolicyValue& change) { return placeOf(change.policy); });
    return changes;
}

bool changed(const Changes& changes, std::string_view policy)
{
    return std::ranges::find(changes, policy, &PolicyValue::policy) != changes.end();
}

Result<PlanRequest> requestWith(PlanRequest request, const Changes& changes)
{
    for (const PolicyValue& change : changes)
        PLIMSOLL_TRY(setPolicy(request.policies, change.policy, change.value));
    return request;
}

/// In units that estimates of times do not differ by for no reason.
std::int64_t wholeNs(double ms)
{
    return std::llround(ms * 1e6);
}

std::size_t errorsButCapacity(const Report& report)
{
    const auto beyond = std::ranges::count_if(report.verdict.findings, [](const Finding& finding) {
        return finding.severity == Severity::Error && finding.rule == Rule::BeyondCapacity;
    });
    return countFindings(report, Severity::Error) - static_cast<std::size_t>(beyond);
}

/// What a plan has beyond the capacities, and in memories that it should leave alone.
FitPlan fitPlanOf(Changes changes, const Report& report, const Capacities& limits)
{
    FitPlan plan {.changes = std::move(changes), .cost = costOf(report)};
    for (const PlannedArena& arena : report.program.map.arenas)
        plan.use[arena.space] += arena.bytes;
    for (const auto& [space, bytes] : plan.use) {
        const auto limit = limits.find(space);
        plan.overBytes += std::max<std::int64_t>(0, bytes - (limit == limits.end() ? 0 : limit->second));
    }
    return plan;
}

/// Every value of the policies that may make the bound higher or lower, combined.
std::vector<Changes> waysToBound(const Program& program, const Policies& policies)
{
    std::vector<Changes> ways {{}};
    for (const std::string_view policy : {"cse", "saved", "recompute"}) {
        const PolicyInfo& info = *findPolicy(policy);
        if (!whyWithoutEffect(program, policies, info).empty()) continue;
        std::vector<Changes> more;
        for (const Changes& way : ways) {
            for (const std::string_view value : info.values)
                more.push_back(with(way, {std::string(policy), std::string(value)}));
        }
        ways = std::move(more);
    }
    return ways;
}

/// The bound under the values of the other policies that allow most. Of what cannot be planned nothing is said.
Result<std::optional<FitProof>> proofOf(const Graph& graph, const PlanRequest& request, const Program& program,
                                        const Context& context)
{
    const Changes loosest = {{"outputs", "external"}, {"inputs", "donate"}, {"dce", "on"},
                             {"fold", "all"},         {"donation", "on"},   {"streams", "1"},
                             {"dynamic", "fallback"}, {"sparse", "native"}};
    PLIMSOLL_ASSIGN(loose, requestWith(request, loosest));
    std::map<std::string, SpaceBound> least;
    for (const Changes& way : waysToBound(program, request.policies)) {
        context.report("bound", 0);
        PLIMSOLL_ASSIGN(one, requestWith(loose, way));
        const auto bounds = boundsForAnyOffer(graph, one, {context.stop, {}});
        if (!bounds.ok()) return std::optional<FitProof>();
        for (const auto& [space, limit] : request.policies.capacity) {
            const auto bound = bounds.value().find(space);
            if (bound == bounds.value().end()) return std::optional<FitProof>();
            const auto [known, isNew] = least.try_emplace(space, bound->second);
            if (!isNew && bound->second.bytes < known->second.bytes) known->second = bound->second;
        }
    }
    for (const auto& [space, bound] : least) {
        const std::int64_t limit = request.policies.capacity.at(space);
        if (bound.bytes > limit) return std::optional(FitProof {space, bound.bytes, limit, bound.node});
    }
    return std::optional<FitProof>();
}

/// What may be changed beside \p changes. \p program is of any plan of the graph.
std::vector<PolicyValue> furtherChanges(const PlanRequest& asked, const Program& program, const Changes& changes)
{
    std::vector<PolicyValue> list;
    const Result<PlanRequest> request = requestWith(asked, changes);
    if (!request.ok()) return list;
    const Policies& policies = request.value().policies;
    for (const auto& [policy, value] : singleChanges(policies)) {
        const bool fixed = std::ranges::find(AskedFor, policy) != AskedFor.end() || changed(changes, policy) ||
                           !whyWithoutEffect(program, policies, *findPolicy(policy)).empty();
        const bool otherTerms =
            policy == "backend" && (policies.backend == BackendPolicy::Captured || !isOffered(request.value(), value));
        if (!fixed && !otherTerms) list.push_back({std::string(policy), std::string(value)});
    }
    return list;
}

class FitSearch
{
public:
    FitSearch(const Graph& graph, PlanRequest request, std::int64_t mostPlans, const Context& context)
        : m_graph(graph), m_request(std::move(request)), m_mostPlans(mostPlans), m_context(context),
          m_limits(m_request.policies.capacity)
    {
    }

    Result<Fit> run()
    {
        PLIMSOLL_TRY(planAsItIs());
        if (m_fit.found || !m_fit.incomplete.empty()) return std::move(m_fit);
        PLIMSOLL_SET(m_fit.proof, proofOf(m_graph, m_request, m_base.program, m_context));
        if (m_fit.proof) return std::move(m_fit);
        trySingles();
        tryPairs();
        if (!m_fit.found) addOneByOne();
        m_fit.stopped = m_context.stopped();
        return std::move(m_fit);
    }

private:
    Status planAsItIs()
    {
        PLIMSOLL_SET(m_base, analyse(m_graph, m_request, {m_context.stop, {}}));
        ++m_fit.plans;
        for (const PlannedArena& arena : m_base.program.map.arenas) // others are no place to go to
            m_limits.try_emplace(arena.space, std::numeric_limits<std::int64_t>::max());
        m_fit.asItIs = m_fit.nearest = fitPlanOf({}, m_base, m_limits);
        if (Message lacks = incompleteText(m_base); !lacks.empty())
            m_fit.incomplete = say("verdict.incomplete", std::move(lacks));
        if (m_fit.asItIs.overBytes == 0 && m_fit.incomplete.empty()) m_fit.found = m_fit.asItIs;
        return {};
    }

    [[nodiscard]] bool mayGoOn(std::int64_t mostPlans) const { return !m_context.stopped() && m_fit.plans < mostPlans; }

    /// Once each; what cannot be planned, or does not count, is noted as such.
    void tryOut(const Changes& changes)
    {
        if (m_tried.contains(namesOf(changes))) return;
        std::string text;
        for (const PolicyValue& change : changes)
            text += (text.empty() ? "" : ", ") + change.policy + "=" + change.value;
        m_context.report(text, static_cast<double>(m_fit.plans) / static_cast<double>(m_mostPlans));
        ++m_fit.plans;
        const Result<PlanRequest> request = requestWith(m_request, changes);
        const Result<Report> report =
            request.ok() ? analyse(m_graph, request.value(), {m_context.stop, {}}) : request.error();
        std::optional<FitPlan>& plan = m_tried[namesOf(changes)];
        const bool counts = report.ok() && errorsButCapacity(report.value()) <= errorsButCapacity(m_base) &&
                            report.value().memory.unplanned.size() <= m_base.memory.unplanned.size();
        if (!counts) return;
        plan = fitPlanOf(changes, report.value(), m_limits);
        if (plan->overBytes == 0 && (!m_fit.found || cheaper(*plan, *m_fit.found))) m_fit.found = plan;
        if (plan->overBytes < m_fit.asItIs.overBytes && isNearer(*plan, m_fit.nearest)) m_fit.nearest = *plan;
    }

    static bool isNearer(const FitPlan& a, const FitPlan& b)
    {
        return a.overBytes != b.overBytes ? a.overBytes < b.overBytes : cheaper(a, b);
    }

    void trySingles()
    {
        m_singles = furtherChanges(m_request, m_base.program, {});
        m_fit.singles.all = m_singles.size();
        for (const PolicyValue& one : m_singles) {
            if (!mayGoOn(m_mostPlans)) return;
            tryOut({one});
            m_fit.singles.tried += m_context.stopped() ? 0 : 1;
        }
    }

    /// The most promising first.
    void tryPairs()
    {
        struct Pair
        {
            Changes changes;
            std::int64_t saves = 0; ///< Both alone.
        };
        const auto savedBy = [&](const PolicyValue& one) {
            const auto known = m_tried.find(namesOf({one}));
            return known != m_tried.end() && known->second ? m_fit.asItIs.overBytes - known->second->overBytes : 0;
        };
        std::vector<Pair> pairs;
        std::set<Names> seen;
        for (const PolicyValue& first : m_singles) {
            for (const PolicyValue& second : furtherChanges(m_request, m_base.program, {first})) {
                Changes both = with({first}, second);
                if (seen.insert(namesOf(both)).second) pairs.push_back({both, savedBy(first) + savedBy(second)});
            }
        }
        std::ranges::stable_sort(pairs, std::ranges::greater(), &Pair::saves);
        m_fit.pairs.all = pairs.size();
        for (const Pair& pair : pairs) {
            if (!mayGoOn(m_mostPlans - m_mostPlans / 5)) return;
            tryOut(pair.changes);
            m_fit.pairs.tried += m_context.stopped() ? 0 : 1;
        }
    }

    /// To the nearest so far, the change that leaves least beyond; what fits then may do without one of the others.
    void addOneByOne()
    {
        for (bool nearer = true; nearer && !m_fit.found;) {
            const FitPlan from = m_fit.nearest;
            for (const PolicyValue& one : furtherChanges(m_request, m_base.program, from.changes)) {
                if (!mayGoOn(m_mostPlans)) return;
                tryOut(with(from.changes, one));
            }
            nearer = isNearer(m_fit.nearest, from);
        }
        if (!m_fit.found) return;
        const Changes all = m_fit.found->changes;
        for (std::size_t i = 0; i < all.size() && mayGoOn(m_mostPlans); ++i) {
            Changes fewer = m_fit.found->changes;
            std::erase(fewer, all[i]);
            tryOut(fewer);
        }
    }

    using Names = std::vector<std::pair<std::string, std::string>>;
    static Names namesOf(const Changes& changes)
    {
        Names names;
        for (const PolicyValue& change : changes)
            names.emplace_back(change.policy, change.value);
        return names;
    }

    const Graph& m_graph;
    const PlanRequest m_request;
    const std::int64_t m_mostPlans;
    const Context& m_context;
    Capacities m_limits; ///< Of every memory that may be used.
    Report m_base;
    std::vector<PolicyValue> m_singles;
    std::map<Names, std::optional<FitPlan>> m_tried; ///< Empty: it does not count.
    Fit m_fit;
};

Message asFar(const Fit& fit)
{
    return say("fit.tried", fit.singles.tried, fit.singles.all, fit.pairs.tried, fit.pairs.all, fit.plans);
}

} // namespace

bool cheaper(const FitPlan& a, const FitPlan& b)
{
    const auto rank = [](const FitPlan& plan) {
        return std::tuple(plan.cost.untimedNodes, wholeNs(plan.cost.kernelMs), plan.changes.size(),
                          plan.cost.peakBytes);
    };
    return rank(a) < rank(b);
}

std::int64_t mostFitPlans(const Graph& graph)
{
    constexpr std::int64_t NodesInAll = 200'000;
    return std::clamp<std::int64_t>(NodesInAll / std::max<std::int64_t>(1, std::ssize(graph.nodes)), 100, 4'000);
}

Result<Fit> findFit(const Graph& graph, PlanRequest request, std::int64_t mostPlans, const Context& context)
{
    if (request.policies.capacity.empty())
        return Error {ErrorCode::BadUsage, say("fit.no-capacity", Remedy::toggle("capacity", "64KiB")), {}, {}};
    request.givenPlan.reset();
    request.recordDecisions = false;
    request.search.improved = {};
    return FitSearch(graph, std::move(request), mostPlans, context).run();
}

Message fitSentence(const Fit& fit)
{
    if (!fit.incomplete.empty()) return together(fit.incomplete, say("fit.incomplete"));
    if (fit.found && fit.found->changes.empty()) return say("fit.as-it-is", fit.found->cost.peakBytes);
    if (fit.found) {
        const Message found =
            say("fit.found", changesList(fit.found->changes), fit.found->cost.peakBytes, fit.asItIs.cost.peakBytes);
        return together(found, asFar(fit));
    }
    if (fit.proof) {
        const FitProof& proof = *fit.proof;
        const Message when = proof.node.empty() ? say("fit.at-first") : say("fit.while", word::Name {proof.node});
        return say("fit.none-can", when, proof.space, proof.boundBytes, proof.capacityBytes,
                   proof.boundBytes - proof.capacityBytes);
    }
    const Message nearest = fit.nearest.changes.empty() ? say("fit.nearest-is-now", fit.nearest.overBytes)
                                                        : say("fit.nearest", changesList(fit.nearest.changes),
                                                              fit.nearest.cost.peakBytes, fit.nearest.overBytes);
    const Message none = say(fit.stopped ? "fit.none-before-stop" : "fit.none-found");
    return together(together(none, nearest), asFar(fit));
}

} // namespace plimsoll
