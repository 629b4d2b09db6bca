#pragma once

#include "core/lower/choose/dispatch_candidates.h"

namespace plimsoll::dispatching {

/// Picks one candidate for each node. Exact along chains; where values have several readers, their choices are changed
/// one by one until no single change makes the graph faster. Of candidates whose times differ by less than these are
/// off by, the one with fewer bytes is taken.
class Chooser
{
public:
    Chooser(const Graph& graph, const Candidates& candidates);

    /// Stopped where \p context asks for it; the choice is a legal one then, too.
    [[nodiscard]] Status run(const Context& context);

    /// In place of run(): what was chosen elsewhere.
    void take(const Way& way);

    [[nodiscard]] const Candidate& chosen(NodeId node) const
    {
        return m_candidates.ofNode[node.index()][m_chosen[node.index()]];
    }
    [[nodiscard]] std::size_t chosenIndex(NodeId node) const { return m_chosen[node.index()]; }
    /// The node and the reorders around it, were it to take that candidate and all others stay as they are.
    [[nodiscard]] double priceOf(NodeId node, std::size_t candidate);
    /// Nothing for what is known before the run: it is brought there once.
    [[nodiscard]] double reorderMs(ValueId value, LayoutId from, LayoutId to) const;

private:
    using Needs = std::vector<std::pair<LayoutId, int>>; ///< Layout → how many readers want it.

    void listNodes(BodyId body);
    void walkForward();
    void walkBack();
    [[nodiscard]] bool sweep(bool forward);
    void preferFewerBytes();
    [[nodiscard]] std::int64_t bytesAround(NodeId node, const Candidate& candidate) const;
    [[nodiscard]] bool mayLieOnInput(NodeId node, const Candidate& candidate, int output) const;
    [[nodiscard]] double cheapestSource(ValueId value, LayoutId wanted) const;
    [[nodiscard]] LayoutId layoutOf(ValueId value) const;
    [[nodiscard]] double localCost(NodeId node, const Candidate& candidate) const;
    [[nodiscard]] double outputCost(NodeId node, const Candidate& candidate) const;
    void count(NodeId node, int step);

    const Graph& m_graph;
    const Candidates& m_candidates;
    std::vector<NodeId> m_order;             ///< As they run; nodes ahead of the run left out.
    std::vector<std::vector<double>> m_best; ///< By NodeId and candidate: the least time up to there.
    std::vector<std::size_t> m_chosen;       ///< By NodeId.
    std::vector<Needs> m_needs;              ///< By ValueId.
    std::vector<int> m_readers;              ///< By ValueId.
};

} // namespace plimsoll::dispatching
