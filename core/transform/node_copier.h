#pragma once

#include "core/graph/graph.h"

#include <map>
#include <string>
#include <unordered_set>

namespace plimsoll {

/// All names of the values and of the nodes of a graph, for those that are added.
class FreeNames
{
public:
    explicit FreeNames(const Graph& graph);
    /// \p base, or "base#2" where that is taken; taken from then on.
    [[nodiscard]] std::string forValue(const std::string& base) { return take(m_values, base); }
    [[nodiscard]] std::string forNode(const std::string& base) { return take(m_nodes, base); }

private:
    using Names = std::unordered_set<std::string>;
    [[nodiscard]] static std::string take(Names& names, const std::string& base);

    Names m_values;
    Names m_nodes;
};

/// Copies nodes within their graph, nested graphs included. What a copy reads is what stands for the original by then.
class NodeCopier
{
public:
    /// Copies are called "name" + \p suffix.
    NodeCopier(Graph& graph, FreeNames& names, std::string suffix);

    /// From now on \p to stands for \p from, also as what a copy computes.
    void map(ValueId from, ValueId to) { m_values[from] = to; }
    [[nodiscard]] ValueId mapped(ValueId value) const; ///< Itself where nothing stands for it.
    [[nodiscard]] const std::string& suffix() const { return m_suffix; }

    /// A copy of the node in \p body, whose order it does not join.
    [[nodiscard]] NodeId copy(NodeId node, BodyId body);
    /// A copy of the value there that nobody computes; it stands for the original.
    ValueId copySource(ValueId value, BodyId body);

private:
    [[nodiscard]] std::string renamed(const std::string& name) const;
    void copyBody(BodyId from, NodeId owner);

    Graph& m_graph;
    FreeNames& m_names;
    std::string m_suffix;
    std::string m_oldPath; ///< Of what is inside a copied owner; empty outside.
    std::string m_newPath;
    std::map<ValueId, ValueId> m_values;
};

} // namespace plimsoll
