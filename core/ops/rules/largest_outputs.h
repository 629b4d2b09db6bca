#pragma once

#include "core/ops/graph_facts.h"

namespace plimsoll {

/// A typed graph in which what only the run knows is as large as it can be, as far as that was found.
class LargestFacts : public GraphFacts
{
public:
    explicit LargestFacts(const Graph& graph) : GraphFacts(graph), m_graph(graph) {}

    [[nodiscard]] const TensorType& type(ValueId value) const override;
    /// Takes sizes of the bound for those that are not known.
    void bound(ValueId value, const TensorType& bound);
    /// -1 for a value that is not open, and where nothing bounds it. What keeps the bytes of an input has no more.
    [[nodiscard]] std::int64_t largestBytes(ValueId value) const;

private:
    const Graph& m_graph;
    std::map<ValueId, TensorType> m_bounded; ///< Of open values.
};

/// By output of a node without bodies: the largest types that it can have, by the row of its operator, where \p largest
/// has those of its inputs. What only the run knows and nothing bounds stays unknown.
[[nodiscard]] std::vector<TensorType> largestOutputs(const Graph& graph, NodeId node, FactSource& largest);

/// The larger size along each axis; of another rank than the other, or of unknown sizes, nothing is known.
[[nodiscard]] TensorType largerOf(const TensorType& a, const TensorType& b);

/// A dense tensor of which only the run knows the size.
[[nodiscard]] bool isOpen(const TensorType& type);

} // namespace plimsoll
