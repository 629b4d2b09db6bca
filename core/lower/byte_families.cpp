#include "core/lower/byte_families.h"

#include "core/ops/op_traits.h"

#include <utility>

namespace plimsoll {
namespace {

/// The value that each comes from directly; itself for a root.
ValueId rootOf(std::vector<ValueId>& base, ValueId value)
{
    while (base[value.index()] != value)
        value = base[value.index()] = base[base[value.index()].index()];
    return value;
}

} // namespace

ByteFamilies::ByteFamilies(const Graph& graph) : m_changed(graph.values.size(), false)
{
    for (std::size_t value = 0; value < graph.values.size(); ++value)
        m_root.emplace_back(value);
    std::vector<ValueId> written;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        for (const AliasTrait& trait : aliasTraits(graph, NodeId(node))) {
            if (trait.kind != AliasKind::View && trait.kind != AliasKind::Mutates) continue;
            const ValueId input = graph.nodes[node].inputs[static_cast<std::size_t>(trait.input)];
            const ValueId output = graph.nodes[node].outputs[static_cast<std::size_t>(trait.output)];
            if (trait.kind == AliasKind::Mutates && input.valid()) written.push_back(input);
            if (input.valid() && output.valid()) m_root[rootOf(m_root, output).index()] = rootOf(m_root, input);
        }
    }
    for (std::size_t value = 0; value < graph.values.size(); ++value)
        m_root[value] = rootOf(m_root, ValueId(value));
    for (const ValueId value : written)
        m_changed[root(value).index()] = true;
}

} // namespace plimsoll
