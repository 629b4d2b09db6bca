#include "core/verify/wording.h"

#include "core/base/plural.h"

#include <algorithm>

namespace plimsoll::verifying {

std::string quoted(const Graph& graph, ValueId value)
{
    return value.valid() ? "'" + graph[value].name + "'" : std::string("nothing");
}

std::string quoted(const Graph& graph, NodeId node)
{
    return node.valid() ? "'" + graph[node].name + "'" : std::string("nothing");
}

std::string listed(const std::vector<std::string>& quotedNames)
{
    constexpr std::size_t Most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(Most, quotedNames.size()); ++i)
        text += (i == 0 ? "" : ", ") + quotedNames[i];
    return quotedNames.size() <= Most ? text : text + " and " + countText(quotedNames.size() - Most) + " more";
}

bool isDeclared(const Graph& graph, NodeId node)
{
    return node.valid() && graph.format == "plimsoll.graph/1" && graph[node].declaredTraits.has_value();
}

std::string range(Interval interval)
{
    return "[" + std::to_string(interval.begin) + ", " + std::to_string(interval.end) + ")";
}

std::string place(const MemoryMap& map, ArenaId arena, Interval bytes)
{
    std::string text = "bytes " + range(bytes);
    if (arena.valid() && arena.index() >= map.arenas.size()) return text + " of what the caller has";
    if (map.arenas.size() < 2 || !arena.valid() || arena.index() >= map.arenas.size()) return text;
    return text + " of arena " + std::to_string(arena.number()) + " (" + map.arenas[arena.index()].space + ")";
}

} // namespace plimsoll::verifying
