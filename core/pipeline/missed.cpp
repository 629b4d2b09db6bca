#include "core/pipeline/stages.h"
#include "core/plan/decision_rules.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll::pipeline {
namespace {

/// Nobody reads more advice of one kind.
constexpr std::size_t MostAdvice = 50;

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

Message remedyOf(const Way& way)
{
    Message remedy = say(way.sentence);
    for (const std::string_view value : way.values)
        remedy.arguments.emplace_back(Remedy::policy(std::string(way.policy), std::string(value)));
    return remedy;
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
        finding.fix = remedyOf(*wayAround(decision));
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace plimsoll::pipeline
