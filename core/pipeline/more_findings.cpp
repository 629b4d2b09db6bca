#include "core/ops/dialects/arena_rules.h"
#include "core/pipeline/stages.h"
#include "core/plan/decision.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace plimsoll::pipeline {
namespace {

constexpr std::size_t MostAdvice = 50; ///< Of one kind.
constexpr std::size_t MostNamed = 3;

struct Way
{
    std::string_view rule;
    std::string_view sentence;
    std::string_view policy;
    std::vector<std::string_view> values;
};

/// What would lift a refusal: only rules that come from a policy are listed.
const Way* wayAround(const Decision& decision)
{
    static const Way ways[] = {
        {rules::OutputIndependence, "fix.share-guarded", "outputs", {"read-only", "copy-on-write"}},
        {rules::SavedExposed, "fix.share-saved", "outputs", {"read-only"}},
        {rules::CallerBuffer, "fix.share-without-buffers", "", {}},
        {rules::InputRefilled, "fix.stay-in-input", "outputs", {"shared"}},
        {rules::InputProtected, "fix.stay-unwritten", "inputs", {"share-identity"}},
        {rules::PolicyOff, "fix.allow", "inplace", {"on"}},
    };
    if (decision.accepted || decision.bytes <= 0) return nullptr;
    // An input that the caller sees is never written over; that is no matter of policy.
    if (decision.rule == rules::InputProtected && decision.kind != DecisionKind::Identity) return nullptr;
    if (decision.kind != DecisionKind::Identity && decision.kind != DecisionKind::InPlace) return nullptr;
    const auto* found = std::ranges::find(ways, decision.rule, &Way::rule);
    return found == std::end(ways) ? nullptr : found;
}

} // namespace

std::vector<Finding> missedSharing(const Program& program, const std::vector<Decision>& decisions)
{
    std::vector<const Decision*> missed;
    for (const Decision& decision : decisions) {
        if (wayAround(decision)) missed.push_back(&decision);
    }
    std::vector<Finding> findings;
    if (missed.empty()) return findings;
    std::stable_sort(missed.begin(), missed.end(),
                     [](const Decision* a, const Decision* b) { return a->bytes > b->bytes; });
    const Graph& graph = *program.graph;
    std::unordered_map<std::string_view, ValueId> ids;
    for (std::size_t value = 0; value < graph.values.size(); ++value)
        ids.emplace(graph.values[value].name, ValueId(value));
    for (std::size_t i = 0; i < std::min(missed.size(), MostAdvice); ++i) {
        const Decision& decision = *missed[i];
        const auto subject = ids.find(decision.subject);
        const auto other = ids.find(decision.other);
        if (subject == ids.end() || other == ids.end()) continue;
        const ValueId output = subject->second;
        Finding finding;
        finding.rule = Rule::MissedSharing;
        finding.severity = ruleSeverity(finding.rule);
        finding.values = {output, other->second};
        if (graph[output].producer.valid()) {
            finding.nodes = {graph[output].producer};
            finding.steps = program.schedule.nodes[graph[output].producer.index()];
        }
        finding.message = say("missed-sharing", word::Name {decision.subject}, decision.bytes,
                              word::Name {decision.other}, decision.reason);
        const Way& way = *wayAround(decision);
        finding.fix = say(way.sentence);
        for (const std::string_view value : way.values)
            finding.fix.arguments.emplace_back(Remedy::policy(std::string(way.policy), std::string(value)));
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> denseFallbacks(const PlannedProgram& planned, const std::vector<DenseFallback>& fallbacks)
{
    std::vector<Finding> findings;
    for (const DenseFallback& fallback : fallbacks) {
        std::int64_t bytes = 0;
        for (const ValueId value : fallback.temporaries)
            bytes += std::max<std::int64_t>(0, planned.values[value.index()].requiredBytes);
        Finding finding;
        finding.rule = Rule::DenseFallback;
        finding.severity = ruleSeverity(finding.rule);
        finding.nodes = {fallback.node};
        finding.values = fallback.temporaries;
        finding.steps = planned.schedule.nodes[fallback.node.index()];
        finding.message = say("dense-fallback", word::Name {(*planned.graph)[fallback.node].name}, bytes,
                              listOf(
                                  fallback.temporaries,
                                  [&](ValueId value) { return word::Name {(*planned.graph)[value].name}; }, MostNamed),
                              fallback.reason);
        finding.fix = say("fix.keep-dense");
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> trustCustomOperators(std::vector<Finding> findings, const Graph& graph, const PlanRequest& request)
{
    if (!request.givenPlan || request.givenPlan->file != graph.file.path.string()) return findings;
    // About a custom operator, and what it makes of its own operand.
    const auto isUpToTheOperator = [&](const Finding& finding) {
        if (finding.rule != Rule::Overlap || finding.nodes.size() != 1 || finding.values.size() != 2) return false;
        const Node& node = graph[finding.nodes.front()];
        return isCustomOperator(node) && std::ranges::count(node.inputs, finding.values[0]) > 0 &&
               std::ranges::count(node.outputs, finding.values[1]) > 0;
    };
    const auto first = std::stable_partition(findings.begin(), findings.end(), std::not_fn(isUpToTheOperator));
    if (first == findings.end()) return findings;
    Finding all = *first;
    const auto count = static_cast<std::size_t>(findings.end() - first);
    for (auto more = first + 1; more != findings.end(); ++more) {
        all.nodes.insert(all.nodes.end(), more->nodes.begin(), more->nodes.end());
        all.values.insert(all.values.end(), more->values.begin(), more->values.end());
    }
    all.severity = Severity::Warning;
    all.message = say("overlap.custom", all.message, count > 1 ? say("overlap.custom-more", count - 1) : Message());
    all.fix = say("fix.look-up");
    findings.erase(first, findings.end());
    findings.push_back(std::move(all));
    return findings;
}

} // namespace plimsoll::pipeline
