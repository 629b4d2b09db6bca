#include "core/ops/trait_table.h"

#include "core/base/narrow.h"
#include "core/ops/op_traits.h"

namespace plimsoll {

TraitTable::TraitTable(const Graph& graph, const Implementations& implementations)
{
    m_begin.reserve(graph.nodes.size() + 1);
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        m_begin.push_back(narrow<std::uint32_t>(m_traits.size()));
        const std::vector<AliasTrait> own = aliasTraits(graph, NodeId(node));
        m_traits.insert(m_traits.end(), own.begin(), own.end());
        std::vector<SubBuffer> parts = subBuffers(graph, NodeId(node), implementations[NodeId(node)]);
        if (!parts.empty()) m_parts.emplace(NodeId(node), std::move(parts));
    }
    m_begin.push_back(narrow<std::uint32_t>(m_traits.size()));
}

} // namespace plimsoll
