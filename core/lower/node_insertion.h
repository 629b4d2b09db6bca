#pragma once

#include "core/lower/free_names.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll {

/// Nodes of ours that a pass puts between those of a graph. What was there keeps its ids; until rebuildOrder() no body
/// lists the new ones.
class NodeInserter
{
public:
    explicit NodeInserter(Graph& graph);

    /// A value of the type of \p like, in its body; called "like:suffix".
    [[nodiscard]] ValueId addValue(ValueId like, const std::string& suffix);
    /// plimsoll::\p op from one value to another, called "prefix:target".
    [[nodiscard]] NodeId addNode(const std::string& op, const std::string& prefix, ValueId source, ValueId target);
    /// In front of \p reader, or of what it is nested in where \p source is.
    void putBefore(NodeId reader, ValueId source, NodeId node);
    void putBehind(NodeId anchor, NodeId node) { m_behind[anchor].push_back(node); }
    void putAtEnd(BodyId body, NodeId node) { m_atEnd[body].push_back(node); }
    /// Computed once, before the first step.
    void moveAhead(NodeId node);
    /// The producer and the readers of \p value get another value; \p value has no producer then.
    [[nodiscard]] ValueId replaceWritten(ValueId value, const std::string& suffix);
    void rebuildOrder();

private:
    Graph& m_graph;
    std::map<NodeId, std::vector<NodeId>> m_before; ///< Anchor → what goes in front of it.
    std::map<NodeId, std::vector<NodeId>> m_behind;
    std::map<BodyId, std::vector<NodeId>> m_atEnd;
    FreeNames m_names;
};

/// What is known before the run, and can be changed ahead of it.
[[nodiscard]] bool isKnownAhead(const Graph& graph, ValueId value);

} // namespace plimsoll
