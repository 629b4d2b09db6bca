#include "core/verify/checks.h"

#include "core/ops/op_traits.h"
#include "core/verify/wording.h"

namespace plimsoll::verifying {
namespace {

class LayoutChecks
{
public:
    LayoutChecks(const PlanFacts& facts, std::vector<Finding>& findings)
        : m_facts(facts), m_graph(facts.graph()), m_findings(findings)
    {
    }

    void run()
    {
        for (const Step& step : m_facts.program.schedule.steps) {
            if (step.kind == StepKind::Node || step.kind == StepKind::Enter) checkReads(step.node);
        }
        for (const Body& body : m_graph.bodies) {
            for (const ValueId output : body.outputs)
                checkHandedOut(body, output);
        }
    }

private:
    void checkReads(NodeId node)
    {
        const Implementation& chosen = m_facts.program.implementations[node];
        for (std::size_t i = 0; i < m_graph[node].inputs.size(); ++i) {
            const auto input = static_cast<int>(i);
            if (!readsContent(m_graph, node, input)) continue;
            const ValueId value = m_graph[node].inputs[i];
            const StorageType kept = m_graph[value].type.storage;
            if (kept != inputStorageType(chosen, input)) { // what is kept as csr is no row of elements
                Finding finding = about(value, node);
                finding.message =
                    say("padding-visible.storage", nameOf(m_graph, node), nameOf(m_graph, value),
                        storageTypeName(inputStorageType(chosen, input)), finding.steps, storageTypeName(kept));
                finding.fix = say("fix.conversion");
                m_findings.push_back(std::move(finding));
            }
            const std::string_view written = writtenLayout(m_facts.program, m_graph[value]);
            const std::string_view read = inputLayout(chosen, input);
            if (written == read) continue;
            Finding finding = about(value, node);
            finding.message =
                say("padding-visible", nameOf(m_graph, node), nameOf(m_graph, value), read, finding.steps, written);
            finding.fix = say("fix.reorder");
            m_findings.push_back(std::move(finding));
        }
    }

    void checkHandedOut(const Body& body, ValueId output)
    {
        const std::string_view written = writtenLayout(m_facts.program, m_graph[output]);
        if (written == PlainLayout) return;
        Finding finding = about(output, m_graph[output].producer);
        finding.message = say("padding-visible.output", nameOf(m_graph, output),
                              body.owner.valid() ? nameOf(m_graph, body.owner) : Argument(say("the-caller")), written);
        finding.fix = say("fix.reorder-behind", nameOf(m_graph, m_graph[output].producer));
        m_findings.push_back(std::move(finding));
    }

    [[nodiscard]] Finding about(ValueId value, NodeId node) const
    {
        Finding finding;
        finding.rule = Rule::PaddingVisible;
        finding.values = {value};
        finding.nodes = {node};
        if (m_graph[value].producer.valid() && m_graph[value].producer != node)
            finding.nodes.push_back(m_graph[value].producer);
        finding.steps = m_facts.program.schedule.nodes[node.index()];
        const PlaceFacts& where = m_facts[value];
        if (!where.walkable) return finding;
        finding.arena = where.arena;
        finding.bytes = where.write;
        return finding;
    }

    const PlanFacts& m_facts;
    const Graph& m_graph;
    std::vector<Finding>& m_findings;
};

} // namespace

void checkLayouts(const PlanFacts& facts, std::vector<Finding>& findings)
{
    LayoutChecks(facts, findings).run();
}

} // namespace plimsoll::verifying
