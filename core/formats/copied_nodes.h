#pragma once

#include "core/formats/named_graph.h"

namespace plimsoll {

/// Says of the nodes of \p graph from \p first on that the file has them once only, elsewhere: they count as added.
inline void markCopies(NamedGraph& graph, std::size_t first)
{
    for (std::size_t i = first; i < graph.nodes.size(); ++i) {
        NamedNode& copy = graph.nodes[i];
        copy.node.origin.dialect = "plimsoll";
        for (NamedBody& body : copy.bodies)
            markCopies(body.graph, 0);
    }
}

} // namespace plimsoll
