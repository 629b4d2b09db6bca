#include "core/facts/offers.h"

#include "core/lower/choose/sparse_offers.h"
#include "core/ops/reorder_node.h"
#include "core/plan/implementation.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

/// What the offer leaves in its outputs, by its own word or as many as the tensors have.
std::int64_t outputBytes(const Graph& graph, NodeId node, const Implementation& offer)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < graph[node].outputs.size(); ++i) {
        const ValueId output = graph[node].outputs[i];
        if (!output.valid()) continue;
        const TensorType& type = graph[output].type;
        const std::int64_t stated = i < offer.requiredOutputBytes.size() ? offer.requiredOutputBytes[i] : 0;
        const Shape shape = type.shape().value_or(Shape {});
        const auto layout =
            type.isSparse() ? std::nullopt : layoutFromName(outputLayout(offer, static_cast<int>(i)), shape.size());
        const auto named = layout ? layoutBytes(*layout, type.dtype, shape) : std::nullopt;
        sum += std::max({type.bytes().value_or(0), stated, named.value_or(0)});
    }
    return sum;
}

class Lister
{
public:
    explicit Lister(const Report& report) : m_report(report), m_graph(*report.program.graph)
    {
        for (const Decision& decision : report.decisions) {
            if (decision.kind == DecisionKind::Implementation) m_decisions[decision.subject].push_back(&decision);
            if (decision.kind == DecisionKind::StorageType) m_storages[decision.subject] = &decision;
            if (decision.kind == DecisionKind::Fusion && !decision.accepted)
                m_unfused.emplace(decision.other, &decision);
        }
    }

    std::vector<OfferReport> run()
    {
        std::vector<OfferReport> rows;
        for (std::size_t node = 0; node < m_graph.nodes.size(); ++node)
            addRows(NodeId(node), rows);
        return rows;
    }

private:
    void addRows(NodeId node, std::vector<OfferReport>& rows) const
    {
        const std::size_t before = rows.size();
        const SparseDispatchKind dispatch = sparseDispatchOf(m_report, node);
        static const Catalogue none;
        const auto& all = m_report.planning.catalogue ? m_report.planning.catalogue->offers : none.offers;
        if (const auto offers = all.find(m_graph[node].name); offers != all.end()) {
            for (const Implementation& offer : offers->second)
                rows.push_back(rowOf(node, offer));
        }
        const auto isTaken = [](const OfferReport& row) { return row.taken; };
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(before);
        const bool listed = std::any_of(begin, rows.end(), isTaken);
        const bool sparse = dispatch != SparseDispatchKind::Dense && !isStorageConversion(m_graph[node]);
        const bool reorder = isReorder(m_graph[node]) && !m_graph.decided[node].ahead;
        if ((sparse || reorder) && !listed) rows.push_back(rowOf(node, m_report.program.implementations[node]));
        for (std::size_t i = before; i < rows.size(); ++i) {
            const bool denseOnly = dispatch == SparseDispatchKind::Native && isDense(rows[i].offer);
            rows[i].dispatch = denseOnly ? SparseDispatchKind::Dense : dispatch;
        }
    }

    [[nodiscard]] OfferReport rowOf(NodeId node, const Implementation& offer) const
    {
        const std::string& name = m_graph[node].name;
        const NodeId computer = m_graph.decided[node].fusedInto;
        const Implementation& chosen = m_report.program.implementations[node];
        // The chosen one has the layouts of prepared weights and the sizes of named layouts filled in; all else stays.
        const bool same = offer.backend == chosen.backend && offer.name == chosen.name &&
                          offer.outputLayouts == chosen.outputLayouts && offer.prepared == chosen.prepared &&
                          offer.fuses == chosen.fuses && inputLayout(offer, 0) == inputLayout(chosen, 0);
        OfferReport row {node, offer, same && !computer.valid(), outputBytes(m_graph, node, offer), {}};
        const auto refused = m_unfused.find(name);
        if (computer.valid())
            row.why = say("offer.fused", word::Name {m_graph[computer].name});
        else if (offer.fuses.size() < chosen.fuses.size())
            row.why = say("offer.more-fused");
        else if (offer.fuses != chosen.fuses)
            row.why = refused == m_unfused.end() ? say("offer.elsewhere") : refused->second->reason;
        if (const auto decisions = m_decisions.find(name); decisions != m_decisions.end()) {
            for (const Decision* decision : decisions->second) {
                const bool about = decision->other == describe(offer) && decision->accepted == row.taken;
                const auto& said = decision->reason.arguments;
                const bool exactly = about && !said.empty() && said.front() == Argument(layoutsText(offer));
                if (exactly || (about && row.why.empty())) row.why = decision->reason;
            }
        }
        const auto storage = m_storages.find(name);
        if (isReorder(m_graph[node])) row.why = say("offer.reorder");
        if (row.taken && storage != m_storages.end()) row.why = together(storage->second->reason, row.why);
        return row;
    }

    const Report& m_report;
    const Graph& m_graph;
    std::map<std::string, std::vector<const Decision*>> m_decisions; ///< By name of the node.
    std::map<std::string, const Decision*> m_storages;               ///< The same, of how its tensors are kept.
    std::map<std::string, const Decision*> m_unfused;                ///< By name of the first node.
};

} // namespace

std::vector<OfferReport> listOffers(const Report& report)
{
    return Lister(report).run();
}

KernelTime kernelTime(const Program& program)
{
    KernelTime time;
    bool measured = true;
    for (std::size_t node = 0; node < program.graph->nodes.size(); ++node) {
        const Implementation& chosen = program.implementations[NodeId(node)];
        const double ms = chosen.timeMs;
        const bool runs = node < program.schedule.nodes.size() && !program.schedule.nodes[node].empty();
        if (ms < 0 && runs && !program.graph->decided[NodeId(node)].fusedInto.valid()) ++time.untimedNodes;
        if (ms < 0 || !runs) continue;
        time.known = true;
        measured = measured && chosen.provenance == "measured";
        time.allMs += ms;
        if (isReorder(program.graph->nodes[node]) || isSpaceCopy(program.graph->nodes[node])) time.reorderMs += ms;
    }
    time.measured = time.known && measured;
    return time;
}

std::optional<double> measuredMs(const Program& program, const RunResult& run, NodeId node)
{
    const std::int64_t step = program.schedule.stepOf(node);
    const bool measured = step >= 0 && step < std::ssize(run.stepMs) && run.stepMs[static_cast<std::size_t>(step)] > 0;
    return measured ? std::optional(run.stepMs[static_cast<std::size_t>(step)]) : std::nullopt;
}

} // namespace plimsoll
