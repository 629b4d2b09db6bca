#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

/// What aliasTraits() says of each node of one graph, worked out once. Every pass over a graph asks for it, and an
/// answer costs a look-up of the operator and a comparison of types.
class TraitTable
{
public:
    TraitTable() = default;
    explicit TraitTable(const Graph& graph);

    [[nodiscard]] std::span<const AliasTrait> operator[](NodeId node) const
    {
        const std::size_t begin = m_begin[node.index()];
        return std::span(m_traits).subspan(begin, m_begin[node.index() + 1] - begin);
    }

private:
    std::vector<AliasTrait> m_traits;   ///< Of all nodes, in their order.
    std::vector<std::uint32_t> m_begin; ///< By NodeId: the first of its own; one more at the end.
};

} // namespace plimsoll
