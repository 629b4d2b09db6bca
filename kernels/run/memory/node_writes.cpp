#include "kernels/run/memory/node_writes.h"

#include "core/base/interval_list.h"
#include "core/base/narrow.h"
#include "core/graph/value_strides.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/ops/inner_access.h"
#include "core/ops/trait_table.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

/// What is an operand twice may be read elsewhere by the other of the two.
bool isReadElsewhere(const Graph& graph, NodeId node, ValueId value)
{
    const ValueIds& inputs = graph[node].inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i] == value && readsElsewhere(graph, node, narrow<int>(i))) return true;
    return false;
}

bool letsShare(const PlannedProgram& program, NodeId node, const AliasTrait& trait)
{
    const Graph& graph = *program.graph;
    const bool inPlace = trait.kind == AliasKind::MayBeInPlace;
    if (trait.kind == AliasKind::Fresh) return false;
    if (inPlace && isReadElsewhere(graph, node, valueAt(graph[node].inputs, trait.input))) return false;
    // A new version of what is not looked at is written like anything else: nothing that is read lies there.
    const bool anew = trait.kind == AliasKind::Mutates && !readsContent(graph, node, trait.input);
    if (anew && !isStrided(graph[valueAt(graph[node].outputs, trait.output)])) return false;
    const Implementation& chosen = program.implementations[node];
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

namespace {

struct Told
{
    const PlannedProgram& program;
    TraitTable traits;
};

/// Of an output, counted from its begin: all but the parts that the node finds in their places.
std::vector<Interval> writtenPieces(const Told& told, NodeId node, int output)
{
    const PlannedProgram& program = told.program;
    const Graph& graph = *program.graph;
    const ValueId whole = graph[node].outputs[static_cast<std::size_t>(output)];
    const ValuePlacement& place = program.map.values[whole.index()];
    const std::int64_t required = program.values[whole.index()].requiredBytes; // what is reserved beyond is not written
    std::vector<Interval> pieces = {{0, required >= 0 ? required : place.bytes}};
    for (const SubBuffer& part : told.traits.parts(node)) {
        const ValueId input = valueAt(graph[node].inputs, part.input);
        if (part.output != output || !part.inputIsPart) continue;
        if (!liesOver(program.map, whole, input, -part.offsetBytes)) continue;
        pieces = without(pieces, {part.offsetBytes, part.offsetBytes + part.bytes});
    }
    return pieces;
}

enum class Lies : std::uint8_t {
    Apart,
    InPlace, ///< It may be written over an input, and is.
    Anew,    ///< The new version of an input, in its bytes.
    There,   ///< Where its bytes already are.
};

Lies liesWhere(const Told& told, NodeId node, int output)
{
    const PlannedProgram& program = told.program;
    const Graph& graph = *program.graph;
    const ValueId value = graph[node].outputs[static_cast<std::size_t>(output)];
    const auto over = [&](const AliasTrait& trait) {
        return trait.output == output && letsShare(program, node, trait) &&
               liesOver(program.map, value, valueAt(graph[node].inputs, trait.input),
                        trait.kind == AliasKind::View ? trait.offsetBytes : 0);
    };
    const auto of = [&](AliasKind kind) {
        return [&over, kind](const AliasTrait& trait) { return trait.kind == kind && over(trait); };
    };
    const auto inside = [&](const SubBuffer& part) {
        return part.output == output && !part.inputIsPart &&
               liesOver(program.map, value, valueAt(graph[node].inputs, part.input), part.offsetBytes);
    };
    const std::span<const AliasTrait> traits = told.traits[node];
    for (const AliasKind kind : {AliasKind::Identity, AliasKind::View})
        if (std::ranges::any_of(traits, of(kind))) return Lies::There;
    if (std::ranges::any_of(told.traits.parts(node), inside)) return Lies::There;
    if (std::ranges::any_of(traits, of(AliasKind::Mutates))) return Lies::Anew;
    return std::ranges::any_of(traits, over) ? Lies::InPlace : Lies::Apart;
}

} // namespace

std::vector<NodeWrites> nodeWrites(const PlannedProgram& program)
{
    const Graph& graph = *program.graph;
    const Told told {program, TraitTable(graph, program.implementations)};
    std::vector<NodeWrites> writes(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (arrangesItsMemory(node)) continue;
        writes[i].namesOnly = !node.outputs.empty() && node.bodies.empty();
        for (std::size_t o = 0; o < node.outputs.size(); ++o) {
            const auto output = narrow<int>(o);
            if (!node.outputs[o].valid()) continue;
            const Lies lies = liesWhere(told, NodeId(i), output);
            writes[i].namesOnly = writes[i].namesOnly && lies == Lies::There;
            if (lies == Lies::InPlace) writes[i].inPlace.push_back(node.outputs[o]);
            if (lies != Lies::Apart) continue;
            for (const Interval piece : writtenPieces(told, NodeId(i), output))
                writes[i].apart.emplace_back(node.outputs[o], piece);
        }
    }
    for (const ScratchPlacement& scratch : program.map.scratch) {
        if (!arrangesItsMemory(graph[scratch.node])) writes[scratch.node.index()].scratch = scratch.where;
    }
    return writes;
}

} // namespace plimsoll::kernels
