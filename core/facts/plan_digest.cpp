#include "core/facts/plan_digest.h"

#include "core/base/fnv_digest.h"

namespace plimsoll {
namespace {

void add(Digest& digest, const std::string& name, const ValuePlacement& place)
{
    digest.add(name);
    digest.add(place.arena.valid() ? std::int64_t {place.arena.number()} : -1);
    digest.add(place.offset);
    digest.add(place.bytes);
}

} // namespace

std::string planDigest(const Report& report)
{
    const Graph& graph = *report.program.graph;
    const MemoryMap& map = report.program.map;
    Digest digest;
    for (const PlannedArena& arena : map.arenas) {
        digest.add(arena.space);
        digest.add(arena.bytes);
    }
    for (std::size_t i = 0; i < map.values.size(); ++i)
        add(digest, graph.values[i].name, map.values[i]);
    for (const ScratchPlacement& scratch : map.scratch)
        add(digest, graph[scratch.node].name, scratch.where);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        digest.add(graph.nodes[i].name);
        digest.add(report.program.schedule.nodes[i].begin);
        digest.add(describe(report.program.implementations[NodeId(i)]));
    }
    return digest.hex();
}

} // namespace plimsoll
