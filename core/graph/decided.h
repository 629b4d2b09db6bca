#pragma once

#include "core/base/ids.h"

#include <vector>

namespace plimsoll {

/// A node that another one computes along with its own operator.
struct FusedNode
{
    NodeId node;
    int input = 0; ///< Of it: where it takes what the operation before it made.
    friend bool operator==(const FusedNode&, const FusedNode&) = default;
};

/// An output that may be written over an input.
struct InPlaceOperands
{
    int output = 0;
    int input = 0;
    friend bool operator==(const InPlaceOperands&, const InPlaceOperands&) = default;
};

struct DecidedNode
{
    bool ahead = false;                   ///< Computed once, before the run; takes no step of the schedule.
    std::vector<FusedNode> fused;         ///< Computed by it too, in this order; see fusedOperands().
    NodeId fusedInto;                     ///< Of those: the node that computes them. They stand in no body.
    NodeId recomputes;                    ///< Of a copy in a backward graph: whose results it computes anew.
    std::vector<InPlaceOperands> inPlace; ///< What its implementation adds to what the operator allows.
};

struct DecidedValue
{
    NodeId fusedInto; ///< Valid for what is never stored: that node hands it from one of its operations to the next.
};

/// What passes decided of the nodes and values of a graph, by id. Of a captured graph it is empty.
class Decided
{
public:
    [[nodiscard]] const DecidedNode& operator[](NodeId id) const { return read(m_nodes, id.index()); }
    [[nodiscard]] const DecidedValue& operator[](ValueId id) const { return read(m_values, id.index()); }
    /// To be written: a reference that the next call invalidates.
    [[nodiscard]] DecidedNode& at(NodeId id) { return written(m_nodes, id.index()); }
    [[nodiscard]] DecidedValue& at(ValueId id) { return written(m_values, id.index()); }
    /// For a copy of a node.
    void copy(NodeId from, NodeId to)
    {
        if (from.index() < m_nodes.size()) at(to) = DecidedNode(m_nodes[from.index()]);
    }

private:
    template <typename T>
    static const T& read(const std::vector<T>& all, std::size_t index)
    {
        static const T none;
        return index < all.size() ? all[index] : none;
    }
    template <typename T>
    static T& written(std::vector<T>& all, std::size_t index)
    {
        if (index >= all.size()) all.resize(index + 1);
        return all[index];
    }

    std::vector<DecidedNode> m_nodes; ///< May be shorter than those of the graph: the rest is as captured.
    std::vector<DecidedValue> m_values;
};

} // namespace plimsoll
