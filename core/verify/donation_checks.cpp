#include "core/verify/checks.h"

#include "core/ops/saving.h"
#include "core/verify/joins.h"
#include "core/verify/wording.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

/// What the value is a view or a version of, as far back as that goes.
ValueId baseOf(const PlanFacts& facts, ValueId value)
{
    const Graph& graph = facts.graph();
    for (;;) {
        const NodeId producer = graph[value].producer;
        if (!producer.valid()) return value;
        const std::span<const AliasTrait> traits = facts.traits[producer];
        const auto from = std::find_if(traits.begin(), traits.end(), [&](const AliasTrait& trait) {
            return trait.output == graph[value].producerOutput &&
                   (trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates);
        });
        if (from == traits.end()) return value;
        value = graph[producer].inputs[static_cast<std::size_t>(from->input)];
    }
}

/// Why the backward graph must not have the value; empty where it may. \p other is what has its bytes, too.
Message whyNot(const PlanFacts& facts, ValueId value, ValueId& other)
{
    const Graph& graph = facts.graph();
    if (facts.program.policies.retainGraph) return say("donation.retained");
    const ValueId base = baseOf(facts, value);
    const std::vector<ValueId>& outputs = graph.top().outputs;
    const auto first = static_cast<std::ptrdiff_t>(outputs.size() - std::min(outputs.size(), graph.boundary.gradients));
    const auto same =
        std::find_if(outputs.begin(), outputs.end(), [&](ValueId output) { return baseOf(facts, output) == base; });
    if (same != outputs.end()) {
        other = *same;
        return say(same - outputs.begin() < first ? "donation.output" : "donation.gradient", nameOf(graph, *same));
    }
    const bool callers = facts[base].external || !graph[base].producer.valid();
    if (!callers) return {};
    other = base;
    return say("donation.callers", nameOf(graph, base));
}

Finding writtenOver(const PlanFacts& facts, NodeId node, ValueId written, ValueId over)
{
    const Graph& graph = facts.graph();
    Finding finding = overwriting(facts, Rule::Donation, node, written, over, facts[over].read);
    finding.message = say("donation.off", nameOf(graph, node), nameOf(graph, written), nameOf(graph, over),
                          word::Number {finding.steps.begin}, Remedy::policy("donation", "off"));
    finding.fix = say("fix.own-bytes", nameOf(graph, written));
    return finding;
}

/// Whether the forward half made it, or what it is a view or a version of.
bool isForwards(const PlanFacts& facts, ValueId value)
{
    const NodeId maker = facts.graph()[baseOf(facts, value)].producer;
    return maker.valid() && !isBackward(facts.graph(), maker);
}

/// Of a graph for which the backward half was made here: under donation=off none of its nodes writes over what the
/// forward half made. What a captured one may do, its file says.
void checkUndonated(const PlanFacts& facts, std::vector<Finding>& findings)
{
    const Graph& graph = facts.graph();
    if (facts.program.policies.donation == DonationPolicy::On || !graph.loss.valid()) return;
    for (const Step& step : facts.program.schedule.steps) {
        if (step.kind != StepKind::Node || graph[step.node].domain != GradientDomain) continue;
        const Accesses accesses = accessesOf(facts, step);
        for (const Write& write : accesses.writes) {
            const Join* join = joinOf(facts, accesses, write);
            const PlaceFacts& target = facts[write.value];
            if (!target.walkable || (join && join->kind != AliasKind::MayBeInPlace)) continue;
            for (const Read& read : accesses.reads) {
                const bool meets = facts[read.value].walkable && facts[read.value].arena == target.arena &&
                                   !contested(facts, read, write.value).empty();
                if (meets && isForwards(facts, read.value))
                    findings.push_back(writtenOver(facts, step.node, write.value, read.value));
            }
        }
    }
}

} // namespace

void checkDonations(const PlanFacts& facts, std::vector<Finding>& findings)
{
    checkUndonated(facts, findings);
    const Graph& graph = facts.graph();
    const NodeId backward = graph.boundary.firstBackward;
    const Schedule& schedule = facts.program.schedule;
    for (const ValueId value : graph.boundary.donated) {
        ValueId other;
        const Message because = whyNot(facts, value, other);
        if (because.empty()) continue;
        Finding finding;
        finding.rule = Rule::Donation;
        finding.values = {value};
        if (other.valid() && other != value) finding.values.push_back(other);
        if (graph[value].producer.valid()) finding.nodes = {graph[value].producer};
        const bool runs = backward.valid() && !schedule.nodes[backward.index()].empty();
        finding.steps = {runs ? schedule.stepOf(backward) : 0, schedule.length()};
        finding.message = say("donation", nameOf(graph, value), because);
        finding.fix = say("fix.undonate", nameOf(graph, value));
        findings.push_back(std::move(finding));
    }
}

} // namespace plimsoll::verifying
