#include "core/analysis/alias_sets.h"

#include "core/base/bytes.h"
#include "core/plan/program.h"

namespace plimsoll {
namespace {

void detach(AliasSets& sets, ValueId value)
{
    sets.root[value.index()] = value;
    sets.source[value.index()] = ValueId();
    sets.offset[value.index()] = 0;
    sets.kind[value.index()] = AliasKind::Fresh;
}

/// Walks from \p value to a value whose root is known, then back, turning offsets from sources into offsets from roots.
void resolve(AliasSets& sets, ValueId value)
{
    std::vector<ValueId> path;
    while (!sets.root[value.index()].valid() && sets.source[value.index()].valid()) {
        path.push_back(value);
        value = sets.source[value.index()];
    }
    if (!sets.root[value.index()].valid()) detach(sets, value);
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
        const ValueId source = sets.source[step->index()];
        const auto offset = checkedAdd(sets.offset[source.index()], sets.offset[step->index()]);
        if (!offset) {
            detach(sets, *step);
            continue;
        }
        sets.offset[step->index()] = *offset;
        sets.root[step->index()] = sets.root[source.index()];
    }
}

} // namespace

AliasSets findAliasSets(const Graph& graph, const TraitTable& traits)
{
    const std::size_t count = graph.values.size();
    AliasSets sets {std::vector<ValueId>(count), std::vector<ValueId>(count), std::vector<std::int64_t>(count, 0),
                    std::vector<AliasKind>(count, AliasKind::Fresh)};
    for (std::size_t index = 0; index < graph.nodes.size(); ++index) { // sources, and offsets from them
        const NodeId id(index);
        if (graph.decided[id].ahead) continue;
        for (const AliasTrait& trait : traits[id]) {
            const bool mustShare = trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates;
            const ValueId output = valueAt(graph[id].outputs, trait.output);
            const ValueId input = valueAt(graph[id].inputs, trait.input);
            if (!mustShare || !output.valid() || !input.valid()) continue;
            if (trait.offsetBytes < 0 || sets.source[output.index()].valid()) continue;
            sets.source[output.index()] = input;
            sets.kind[output.index()] = trait.kind;
            sets.offset[output.index()] = trait.offsetBytes;
        }
    }
    for (std::size_t index = 0; index < count; ++index)
        resolve(sets, ValueId(index));
    return sets;
}

AliasSets findAliasSets(const Program& program)
{
    return findAliasSets(*program.graph, TraitTable(*program.graph, program.implementations));
}

} // namespace plimsoll
