#include "core/verify/checks.h"

#include "core/graph/graph.h"
#include "core/verify/wording.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

/// What one node computes along with its own operator, looked at operation by operation.
class FusionChecks
{
public:
    FusionChecks(const PlanFacts& facts, std::vector<Finding>& findings)
        : m_facts(facts), m_graph(facts.graph()), m_findings(findings)
    {
    }

    void check(NodeId id)
    {
        const Node& node = m_graph[id];
        const std::vector<FusedOperand> operands = fusedOperands(m_graph, m_graph.decided[id].fused);
        const auto own = static_cast<std::ptrdiff_t>(node.inputs.size()) - static_cast<std::ptrdiff_t>(operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const std::ptrdiff_t position = own + static_cast<std::ptrdiff_t>(i);
            const ValueId wanted = m_graph[operands[i].node].inputs[static_cast<std::size_t>(operands[i].input)];
            const bool read = position >= 0 && node.inputs[static_cast<std::size_t>(position)] == wanted;
            if (read || !wanted.valid()) continue;
            const Argument name = nameOf(m_graph, id);
            report(Rule::ClobberedRead, id, operands[i].node, wanted,
                   say("clobbered-read.fused", name, nameOf(m_graph, operands[i].node), nameOf(m_graph, wanted)),
                   say("fix.make-input", name));
        }
        for (const AliasTrait& trait : m_facts.traits[id]) {
            if (trait.kind != AliasKind::MayBeInPlace || trait.input < own) continue;
            const FusedOperand& operand = operands[static_cast<std::size_t>(trait.input - own)];
            const ValueId value = node.inputs[static_cast<std::size_t>(trait.input)];
            if (!m_facts.moved.contains({id, value})) continue;
            const Argument name = nameOf(m_graph, id);
            report(Rule::FalseIdentity, id, operand.node, value,
                   say("false-identity.fused", name, nameOf(m_graph, value), nameOf(m_graph, operand.node)),
                   say("fix.declaration", name));
        }
    }

private:
    void report(Rule rule, NodeId node, NodeId fused, ValueId value, Message message, Message fix)
    {
        Finding& finding = m_findings.emplace_back();
        finding.rule = rule;
        finding.values = {value};
        finding.nodes = {node, fused};
        finding.steps = m_facts.program.schedule.nodes[node.index()];
        finding.message = std::move(message);
        finding.fix = std::move(fix);
        if (!m_facts[value].walkable) return;
        finding.arena = m_facts[value].arena;
        finding.bytes = m_facts[value].read;
    }

    const PlanFacts& m_facts;
    const Graph& m_graph;
    std::vector<Finding>& m_findings;
};

} // namespace

void checkFusion(const PlanFacts& facts, std::vector<Finding>& findings)
{
    FusionChecks checks(facts, findings);
    for (const Step& step : facts.program.schedule.steps) {
        if (step.kind == StepKind::Node && !facts.graph().decided[step.node].fused.empty()) checks.check(step.node);
    }
}

} // namespace plimsoll::verifying
