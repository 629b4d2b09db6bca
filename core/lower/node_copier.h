#pragma once

#include "core/lower/free_names.h"

#include <map>
#include <string>

namespace plimsoll {

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
    /// A copy of the value there that no node computes; it stands for the original.
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
