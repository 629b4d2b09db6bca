#include "core/lower/choose/sparse_offers.h"

#include "core/ops/saving.h"
#include "core/ops/sparse_rules.h"

#include <algorithm>
#include <span>

namespace plimsoll {
namespace {

StorageType storageOf(const Graph& graph, ValueId value)
{
    return value.valid() ? graph[value].type.storage : StorageType::Dense;
}

std::vector<StorageType> storagesOf(const Graph& graph, std::span<const ValueId> values)
{
    std::vector<StorageType> storages;
    for (const ValueId value : values)
        storages.push_back(storageOf(graph, value));
    return storages;
}

bool fits(const Graph& graph, const Node& node, const Implementation& offer)
{
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (inputStorageType(offer, static_cast<int>(i)) != storageOf(graph, node.inputs[i])) return false;
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (outputStorageType(offer, static_cast<int>(i)) != storageOf(graph, node.outputs[i])) return false;
    }
    return true;
}

/// Of each input, with a plus between them.
template <typename TextOf>
std::string joined(const Graph& graph, NodeId node, TextOf textOf)
{
    std::string text;
    for (const ValueId input : graph[node].inputs) {
        if (input.valid()) text += (text.empty() ? "" : " + ") + textOf(input);
    }
    return text;
}

} // namespace

Implementation takenAsKept(const Graph& graph, NodeId node)
{
    Implementation taken;
    taken.inputStorageTypes = storagesOf(graph, graph[node].inputs);
    taken.outputStorageTypes = storagesOf(graph, graph[node].outputs);
    return taken;
}

bool isDense(const Implementation& offer)
{
    const auto dense = [](StorageType storage) { return storage == StorageType::Dense; };
    return std::ranges::all_of(offer.inputStorageTypes, dense) && std::ranges::all_of(offer.outputStorageTypes, dense);
}

std::string inputStorageTypesText(const Graph& graph, NodeId node)
{
    return joined(graph, node, [&](ValueId input) { return std::string(storageTypeName(storageOf(graph, input))); });
}

std::string inputTypesText(const Graph& graph, NodeId node)
{
    return joined(graph, node, [&](ValueId input) { return describe(graph[input].type); });
}

const std::vector<Implementation>* catalogueOffers(const Catalogue& catalogue, const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    const auto found = catalogue.offers.find(node.name);
    const bool ours = node.from->origin.dialect == "plimsoll" && node.domain != GradientDomain;
    const bool none = ours || graph.decided[id].ahead || !node.bodies.empty();
    return none || found == catalogue.offers.end() ? nullptr : &found->second;
}

bool pinMeans(const std::string& pin, const Implementation& offer)
{
    return offer.name == pin || offer.backend == pin || pinOf(offer) == pin;
}

std::vector<Implementation> nativeOffers(const Graph& graph, NodeId node, const Catalogue& catalogue)
{
    std::vector<Implementation> offers;
    if (const auto* listed = catalogueOffers(catalogue, graph, node)) {
        for (const Implementation& offer : *listed) {
            if (!isDense(offer) && fits(graph, graph[node], offer)) offers.push_back(offer);
        }
    }
    Implementation reference = takenAsKept(graph, node);
    reference.name = inputStorageTypesText(graph, node);
    const auto isReference = [&](const Implementation& offer) { return offer.backend == reference.backend; };
    const bool listed = std::ranges::any_of(offers, isReference); // with a time
    const SparseRule* rule = sparseRuleOf(graph, node);
    if (rule && rule->native && !listed) offers.push_back(reference);
    return offers;
}

} // namespace plimsoll
