#include "core/base/bytes.h"
#include "core/pipeline/stages.h"
#include "core/plan/decision_rules.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll::pipeline {
namespace {

/// Nobody reads more advice of one kind.
constexpr std::size_t MostAdvice = 50;

/// What would lift a refusal: only rules that come from a policy are listed.
constexpr std::pair<std::string_view, std::string_view> Remedies[] = {
    {rules::OutputIndependence,
     "outputs=read-only or copy-on-write would let the two share, and guard what is written."},
    {rules::SavedExposed, "outputs=read-only would let the two share, since nobody could write in between."},
    {rules::CallerBuffer, "Every other value of the policy outputs would let the plan put them together."},
    {rules::InputRefilled, "outputs=shared would let it stay there, and change when the input is refilled."},
    {rules::InputProtected, "inputs=share-identity would let it stay there while nobody writes it."},
    {rules::PolicyOff, "inplace=on would allow it."},
};

std::string_view remedyFor(const Decision& decision)
{
    if (decision.accepted || decision.bytes <= 0) return {};
    // Nobody may write over an input that the caller sees; that is no matter of policy.
    if (decision.rule == rules::InputProtected && decision.kind != DecisionKind::Identity) return {};
    if (decision.kind != DecisionKind::Identity && decision.kind != DecisionKind::InPlace) return {};
    const auto* found = std::find_if(std::begin(Remedies), std::end(Remedies),
                                     [&](const auto& remedy) { return remedy.first == decision.rule; });
    return found == std::end(Remedies) ? std::string_view() : found->second;
}

} // namespace

void addMissedSharing(Report& report)
{
    if (!report.program.ownPlan) return;
    std::vector<const Decision*> missed;
    for (const Decision& decision : report.decisions) {
        if (!remedyFor(decision).empty()) missed.push_back(&decision);
    }
    if (missed.empty()) return;
    std::stable_sort(missed.begin(), missed.end(),
                     [](const Decision* a, const Decision* b) { return a->bytes > b->bytes; });
    const Graph& graph = *report.program.graph;
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
        finding.severity = Severity::Advice;
        finding.values = {output, other->second};
        if (graph[output].producer.valid()) {
            finding.nodes = {graph[output].producer};
            finding.steps = report.program.schedule.nodes[graph[output].producer.index()];
        }
        finding.message = "'" + decision.subject + "' takes " + formatCount(decision.bytes) +
                          " bytes that it could share with '" + decision.other + "'. " + decision.reason;
        finding.fix = remedyFor(decision);
        report.verdict.findings.push_back(std::move(finding));
    }
}

} // namespace plimsoll::pipeline
