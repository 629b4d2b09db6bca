#include "core/verify/wording.h"

namespace plimsoll::verifying {

Argument nameOf(const Graph& graph, ValueId value)
{
    return value.valid() ? Argument(word::Name {graph[value].name}) : Argument(say("nothing"));
}

Argument nameOf(const Graph& graph, NodeId node)
{
    return node.valid() ? Argument(word::Name {graph[node].name}) : Argument(say("nothing"));
}

Argument nameOf(const Graph& graph, const Party& party)
{
    if (party.value.valid()) return nameOf(graph, party.value);
    return say("scratchpad", nameOf(graph, party.scratchOf));
}

bool isDeclared(const Graph& graph, NodeId node)
{
    return node.valid() && graph.file.declaresTraits && graph[node].declared->traits.has_value();
}

Message place(const MemoryMap& map, ArenaId arena, Interval bytes)
{
    if (arena.valid() && arena.index() >= map.arenas.size()) return say("place.caller", bytes);
    if (map.arenas.size() < 2 || !arena.valid()) return say("place", bytes);
    return say("place.arena", bytes, word::Number {arena.number()}, map.arenas[arena.index()].space);
}

} // namespace plimsoll::verifying
