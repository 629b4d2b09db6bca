#include "core/lower/free_names.h"

namespace plimsoll {

FreeNames::FreeNames(const Graph& graph)
{
    for (const Value& value : graph.values)
        m_values.insert(value.name);
    for (const Node& node : graph.nodes)
        m_nodes.insert(node.name);
}

std::string FreeNames::take(Names& names, const std::string& base)
{
    std::string name = base;
    for (int number = 2; !names.insert(name).second; ++number)
        name = base + "#" + std::to_string(number);
    return name;
}

} // namespace plimsoll
