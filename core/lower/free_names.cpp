#include "core/lower/free_names.h"

namespace plimsoll {

FreeNames::FreeNames(const Graph& graph)
{
    for (const Value& value : graph.values)
        m_values.taken.insert(value.name);
    for (const Node& node : graph.nodes)
        m_nodes.taken.insert(node.name);
}

std::string FreeNames::take(Names& names, const std::string& base)
{
    return names.numbers.name(base, [&](const std::string& name) { return names.taken.insert(name).second; });
}

} // namespace plimsoll
