#pragma once

#include "core/ops/sub_buffers.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace plimsoll {

/// What aliasTraits() and subBuffers() say of each node of one graph, worked out once. Every pass over a graph asks for
/// it, and an answer costs a look-up of the operator and a comparison of types. Implementations by NodeId, as in a
/// program.
class TraitTable
{
public:
    TraitTable() = default;
    explicit TraitTable(const Graph& graph, const Implementations& implementations = {});

    [[nodiscard]] std::span<const AliasTrait> operator[](NodeId node) const
    {
        const std::size_t begin = m_begin[node.index()];
        return std::span(m_traits).subspan(begin, m_begin[node.index() + 1] - begin);
    }

    /// Of a few nodes there are any.
    [[nodiscard]] std::span<const SubBuffer> parts(NodeId node) const
    {
        const auto found = m_parts.find(node);
        return found == m_parts.end() ? std::span<const SubBuffer> {} : std::span<const SubBuffer>(found->second);
    }

private:
    std::vector<AliasTrait> m_traits; ///< Of all nodes, in their order.
    std::unordered_map<NodeId, std::vector<SubBuffer>> m_parts;
    std::vector<std::uint32_t> m_begin; ///< By NodeId: the first of its own; one more at the end.
};

} // namespace plimsoll
