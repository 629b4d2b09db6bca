#include "core/sharing/repeated_outputs.h"

#include "core/ops/op_traits.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

/// The value whose content it repeats, through identities.
ValueId originOf(const Graph& graph, const TraitTable& traits, ValueId value)
{
    while (graph[value].producer.valid()) {
        const NodeId producer = graph[value].producer;
        const auto repeats = std::ranges::find_if(traits[producer], [&](const AliasTrait& trait) {
            return trait.kind == AliasKind::Identity && trait.output == graph[value].producerOutput;
        });
        if (repeats == traits[producer].end()) break;
        value = graph[producer].inputs[static_cast<std::size_t>(repeats->input)];
    }
    return value;
}

/// By output of the owner: what each body hands out as it.
std::vector<std::vector<ValueId>> handedOut(const Graph& graph, NodeId owner)
{
    std::vector<std::vector<ValueId>> handed(graph[owner].outputs.size());
    for (const BodyId body : graph[owner].bodies) {
        for (const BodyLink& link : bodyLinks(graph, owner, body)) {
            const ValueId made = valueAt(graph[body].outputs, link.bodyOutput);
            if (link.kind == BodyLink::Kind::Branch && valueAt(graph[owner].outputs, link.ownerOutput).valid() &&
                made.valid())
                handed[static_cast<std::size_t>(link.ownerOutput)].push_back(made);
        }
    }
    return handed;
}

void addRepeats(const Graph& graph, const TraitTable& traits, NodeId owner, std::vector<RepeatedOutput>& repeats)
{
    const std::vector<std::vector<ValueId>> handed = handedOut(graph, owner);
    std::map<std::vector<ValueId>, std::size_t> firsts; // by origins
    for (std::size_t output = 0; output < handed.size(); ++output) {
        if (handed[output].size() != graph[owner].bodies.size()) continue;
        std::vector<ValueId> origins;
        for (const ValueId made : handed[output])
            origins.push_back(originOf(graph, traits, made));
        const auto [known, isNew] = firsts.try_emplace(std::move(origins), output);
        if (isNew) continue;
        const ValueIds& outputs = graph[owner].outputs;
        RepeatedOutput repeated {owner, outputs[known->second], outputs[output], {}};
        for (std::size_t body = 0; body < handed[output].size(); ++body)
            repeated.handed.emplace_back(handed[known->second][body], handed[output][body]);
        repeats.push_back(std::move(repeated));
    }
}

} // namespace

std::vector<RepeatedOutput> repeatedOutputs(const Graph& graph, const TraitTable& traits)
{
    std::vector<RepeatedOutput> repeats;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const NodeId owner(node);
        if (!graph[owner].bodies.empty() && bodyRule(graph, owner) == BodyRule::Branch)
            addRepeats(graph, traits, owner, repeats);
    }
    return repeats;
}

bool handedFromOnePlace(const Sharing& sharing, const RepeatedOutput& repeated)
{
    return std::ranges::all_of(repeated.handed, [&](const auto& pair) {
        const std::size_t first = pair.first.index();
        const std::size_t second = pair.second.index();
        return sharing.storageOf[first].valid() && sharing.storageOf[first] == sharing.storageOf[second] &&
               sharing.offset[first] == sharing.offset[second];
    });
}

} // namespace plimsoll
