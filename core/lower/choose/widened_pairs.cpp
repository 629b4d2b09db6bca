#include "core/lower/choose/widened_pairs.h"

#include "core/graph/graph.h"
#include "core/ops/inner_access.h"
#include "core/ops/op_traits.h"
#include "core/ops/saving.h"

#include <algorithm>

namespace plimsoll::dispatching {
namespace {

/// What lies in the same bytes has one size, which is known, and is stored whole.
bool mayShareBytes(const TensorType& from, const TensorType& to)
{
    const auto bytes = from.bytes();
    const bool tensors = from.kind == TypeKind::Tensor && to.kind == TypeKind::Tensor;
    return tensors && bytes && bytes == to.bytes() && !from.isSparse() && !to.isSparse();
}

bool isKnown(const std::vector<AliasTrait>& traits, const Implementation::InPlacePair& pair)
{
    return std::ranges::any_of(traits, [&](const AliasTrait& trait) {
        return trait.kind != AliasKind::Fresh && trait.output == pair.output && trait.input == pair.input;
    });
}

void widen(Graph& graph, NodeId node, const Implementation& chosen, const DecisionLog& log)
{
    const std::vector<AliasTrait> traits = aliasTraits(graph, node);
    for (const Implementation::InPlacePair& pair : chosen.inPlace) {
        const ValueId output = valueAt(graph[node].outputs, pair.output);
        const ValueId input = valueAt(graph[node].inputs, pair.input);
        if (!output.valid() || !input.valid() || isKnown(traits, pair)) continue;
        const TensorType& from = graph[input].type;
        const TensorType& to = graph[output].type;
        if (graph[node].domain == GradientDomain) {
            if (log.recording())
                log.add({DecisionKind::InPlace, graph[output].name, graph[input].name, false, "donation",
                         say("offer.in-place-donation", word::Name {describe(chosen)}, word::Name {graph[output].name},
                             word::Name {graph[input].name}),
                         to.bytes().value_or(0)});
        } else if (mayShareBytes(from, to) && graph[input].at->strides == graph[output].at->strides) {
            graph.decided.at(node).inPlace.push_back({pair.output, pair.input});
            if (!readsElsewhere(graph, node, pair.input)) continue;
            graph.decided.at(node).inPlace.pop_back();
            if (log.recording())
                log.add({DecisionKind::InPlace, graph[output].name, graph[input].name, false, "reads-elsewhere",
                         say("offer.in-place-elsewhere", word::Name {describe(chosen)}, word::Name {graph[output].name},
                             word::Name {graph[input].name}),
                         to.bytes().value_or(0)});
        } else if (log.recording()) {
            log.add({DecisionKind::InPlace, graph[output].name, graph[input].name, false, "size-differs",
                     say("offer.in-place-size", word::Name {describe(chosen)}, word::Name {graph[output].name},
                         word::Name {graph[input].name}, describe(to), describe(from)),
                     to.bytes().value_or(0)});
        }
    }
}

} // namespace

void widenInPlace(Dispatch& made, const DecisionLog& log)
{
    for (std::size_t node = 0; node < made.implementations.chosen().size(); ++node) {
        const DecidedNode& decided = made.graph.decided[NodeId(node)];
        if (!decided.ahead && !decided.fusedInto.valid())
            widen(made.graph, NodeId(node), made.implementations[NodeId(node)], log);
    }
}

} // namespace plimsoll::dispatching
