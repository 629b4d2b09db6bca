#pragma once

#include "core/lower/choose/dispatch_choice.h"
#include "core/lower/node_insertion.h"

namespace plimsoll::dispatching {

/// What is fused reads and writes what the node that computes it does.
void tellFused(Graph& graph);

/// Brings what was chosen into the graph: reorders where a value is read in another layout than it is written in, and
/// weights prepared ahead of the run.
class ReorderInserter
{
public:
    ReorderInserter(Dispatch& dispatch, const Candidates& candidates);

    void run();

private:
    struct Target
    {
        ValueId value;
        std::string layout;
        Shape readAs;         ///< Of a weight…
        std::string storedAs; ///< …and how its plain bytes are read so.
        friend auto operator<=>(const Target&, const Target&) = default;
    };

    struct Moved
    {
        std::int64_t read = 0;
        std::int64_t written = 0;
    };

    void visit(BodyId body);
    void prepareWeights(NodeId node);
    void reorderInputs(NodeId node);
    void reorderResult(ValueId value);
    [[nodiscard]] NodeId addReorder(ValueId source, ValueId target, const Implementation& how);
    [[nodiscard]] Implementation reorderBy(const std::string& backend, std::string_view from, std::string_view to,
                                           const Moved& bytes) const;
    /// Between two values of the run: with the time that was measured, if it was.
    [[nodiscard]] Implementation reorderOf(const std::string& backend, ValueId value, std::string_view from,
                                           std::string_view to) const;
    [[nodiscard]] ValueId asked(ValueId value) const;
    [[nodiscard]] std::int64_t bytesOf(ValueId value, std::string_view layout) const;
    [[nodiscard]] std::string backendFor(NodeId reader, ValueId value) const;

    Graph& m_graph;
    Implementations& m_chosen;
    const Candidates& m_candidates;
    std::map<ValueId, ValueId> m_insteadOf; ///< What producers write in place of a result → the result.
    std::map<Target, ValueId> m_made;       ///< What is there in another layout already.
    NodeInserter m_nodes;
};

} // namespace plimsoll::dispatching
