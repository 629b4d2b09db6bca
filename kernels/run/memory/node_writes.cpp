#include "kernels/run/memory/node_writes.h"

#include "core/ops/dialects/arena_rules.h"
#include "core/ops/inner_access.h"
#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

bool letsShare(const PlannedProgram& program, NodeId node, const AliasTrait& trait)
{
    const bool inPlace = trait.kind == AliasKind::MayBeInPlace;
    if (trait.kind == AliasKind::Fresh) return false;
    if (inPlace && readsElsewhere(*program.graph, node, trait.input)) return false;
    if (node.index() >= program.implementations.size()) return true;
    const Implementation& chosen = program.implementations[node.index()];
    if (inputLayout(chosen, trait.input) != outputLayout(chosen, trait.output)) return false;
    const Implementation::InPlacePair pair {trait.output, trait.input};
    return !inPlace || !chosen.inPlaceKnown || std::ranges::find(chosen.inPlace, pair) != chosen.inPlace.end();
}

/// Whose bytes of the caller a value without an arena lies in; its own where it comes from outside.
ValueId hostOf(const MemoryMap& map, ValueId value)
{
    const ValuePlacement& where = map.values[value.index()];
    return where.placed() || where.host.valid() ? where.host : value;
}

} // namespace

bool liesOver(const MemoryMap& map, ValueId value, ValueId under, std::int64_t offset)
{
    if (!under.valid()) return false;
    const ValuePlacement& over = map.values[value.index()];
    const ValuePlacement& below = map.values[under.index()];
    return over.arena == below.arena && hostOf(map, value) == hostOf(map, under) &&
           over.offset - below.offset == offset;
}

std::vector<NodeWrites> nodeWrites(const PlannedProgram& program)
{
    const Graph& graph = *program.graph;
    std::vector<NodeWrites> writes(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (arrangesItsMemory(node)) continue;
        std::vector<ValueId>& apart = writes[i].apart;
        std::ranges::copy_if(node.outputs, std::back_inserter(apart), &ValueId::valid);
        for (const AliasTrait& trait : aliasTraits(graph, NodeId(i))) {
            const ValueId output = valueAt(node.outputs, trait.output);
            const std::int64_t offset = trait.kind == AliasKind::View ? trait.offsetBytes : 0;
            if (output.valid() && letsShare(program, NodeId(i), trait) &&
                liesOver(program.map, output, valueAt(node.inputs, trait.input), offset))
                std::erase(apart, output);
        }
    }
    for (const ScratchPlacement& scratch : program.map.scratch) {
        if (!arrangesItsMemory(graph[scratch.node])) writes[scratch.node.index()].scratch = scratch.where;
    }
    return writes;
}

} // namespace plimsoll::kernels
