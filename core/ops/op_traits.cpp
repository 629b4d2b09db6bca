#include "core/ops/op_traits.h"

#include "core/ops/op_schema.h"

#include <algorithm>

namespace plimsoll {

namespace {

const OpSchema* schemaOf(const Graph& graph, NodeId node)
{
    return findSchema(graph[node].domain, graph[node].op);
}

/// Both known, kept in the same way and of the same size; nothing else can lie in the same bytes.
bool sameBytes(const Value& a, const Value& b)
{
    const auto bytes = a.type.bytes();
    return bytes && a.at->strides == b.at->strides && a.type.storage == b.type.storage &&
           a.type.kind == TypeKind::Tensor && b.type.kind == TypeKind::Tensor && bytes == b.type.bytes();
}

/// Element i of the output may be written where element i of the input was: what a sparse tensor keeps may grow, and
/// the value must not stand at another input that is read.
void addInPlace(const Graph& graph, const Node& node, const OpSchema& schema, std::vector<AliasTrait>& traits)
{
    const Value& output = graph[node.outputs[0]];
    std::vector<ValueId> kept;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!schema.inPlace.has(static_cast<int>(i))) kept.push_back(node.inputs[i]);
    }
    std::ranges::sort(kept); // of a node that stands for the end of a table, a million
    for (std::size_t i = schema.mutates ? 1 : 0; i < node.inputs.size(); ++i) {
        const ValueId input = node.inputs[i];
        if (!input.valid() || std::ranges::binary_search(kept, input)) continue;
        const TensorType& type = graph[input].type;
        const int bits = dtypeBits(type.dtype);
        const bool same = sameBytes(graph[input], output) && !type.isSparse() && bits >= 8 &&
                          bits == dtypeBits(output.type.dtype) && type.shape() == output.type.shape();
        if (same) traits.push_back({0, static_cast<int>(i), AliasKind::MayBeInPlace, 0});
    }
}

std::vector<AliasTrait> schemaTraits(const Graph& graph, const Node& node, const OpSchema& schema)
{
    std::vector<AliasTrait> traits;
    if (node.inputs.empty() || node.outputs.empty() || !node.outputs[0].valid()) return traits;
    const Value& output = graph[node.outputs[0]];
    const bool hasFirst = node.inputs[0].valid();
    if (schema.mutates && hasFirst) traits.push_back({0, 0, AliasKind::Mutates, 0});
    if (schema.view && hasFirst) traits.push_back({0, 0, AliasKind::View, 0});
    if (schema.traitsHold && !schema.traitsHold(graph, node)) return traits;
    if (schema.identity && hasFirst) {
        const Value& input = graph[node.inputs[0]];
        if (input.type.dtype == output.type.dtype && sameBytes(input, output)) {
            traits.push_back({0, 0, AliasKind::Identity, 0});
            return traits;
        }
    }
    addInPlace(graph, node, schema, traits);
    return traits;
}

/// What a file declares, as far as the types allow it.
std::vector<AliasTrait> declaredTraits(const Graph& graph, const Node& node)
{
    std::vector<AliasTrait> traits;
    for (const AliasTrait& trait : *node.declared->traits) {
        const auto input = static_cast<std::size_t>(trait.input);
        const auto output = static_cast<std::size_t>(trait.output);
        if (trait.input < 0 || trait.output < 0 || input >= node.inputs.size() || output >= node.outputs.size())
            continue;
        if (!node.inputs[input].valid() || !node.outputs[output].valid()) continue;
        const bool whole = trait.kind == AliasKind::MayBeInPlace || trait.kind == AliasKind::Identity;
        if (whole && !sameBytes(graph[node.inputs[input]], graph[node.outputs[output]])) continue;
        traits.push_back(trait);
    }
    return traits;
}

/// By the file, or else by the operator's schema.
std::vector<AliasTrait> ownTraits(const Graph& graph, NodeId node)
{
    if (graph[node].declared->traits) return declaredTraits(graph, graph[node]);
    const OpSchema* schema = schemaOf(graph, node);
    return schema ? schemaTraits(graph, graph[node], *schema) : std::vector<AliasTrait> {};
}

} // namespace

BodyRule bodyRule(const Graph& graph, NodeId owner)
{
    return bodyTraits(graph, owner).rule;
}

std::vector<BodyLink> bodyLinks(const Graph& graph, NodeId owner, BodyId body)
{
    return bodyTraits(graph, owner).links(graph, owner, body);
}

std::vector<AliasTrait> aliasTraits(const Graph& graph, NodeId node)
{
    std::vector<AliasTrait> traits = ownTraits(graph, node);
    for (const auto& [output, input] : graph.decided[node].inPlace)
        traits.push_back({output, input, AliasKind::MayBeInPlace, 0});
    return traits;
}

bool readsContent(const Graph& graph, NodeId node, int input)
{
    const Node& n = graph[node];
    if (input < 0 || static_cast<std::size_t>(input) >= n.inputs.size()) return false;
    if (!n.inputs[static_cast<std::size_t>(input)].valid()) return false;
    if (std::ranges::find(n.declared->ignoredInputs, input) != n.declared->ignoredInputs.end()) return false;
    const OpSchema* schema = schemaOf(graph, node);
    return !schema || !schema->ignored.has(input);
}

bool isCheap(const Graph& graph, NodeId node)
{
    const OpSchema* schema = schemaOf(graph, node);
    if (!schema || !graph[node].bodies.empty() || !schema->computes || !isPure(graph, node)) return false;
    return schema->cheap || schema->identity || !schema->inPlace.empty();
}

bool computes(const Graph& graph, NodeId node)
{
    const OpSchema* schema = schemaOf(graph, node);
    return !schema || schema->computes;
}

bool isPure(const Graph& graph, NodeId node)
{
    const OpSchema* schema = schemaOf(graph, node);
    if (!schema || !schema->pure || schema->mutates) return false;
    if (schema->pureWhere && !schema->pureWhere(graph, graph[node])) return false;
    const auto& traits = graph[node].declared->traits;
    const auto mutates = [](const AliasTrait& trait) { return trait.kind == AliasKind::Mutates; };
    if (traits && std::ranges::any_of(*traits, mutates)) return false;
    const auto& bodies = graph[node].bodies;
    return std::ranges::all_of(bodies, [&](BodyId body) {
        const auto& nodes = graph[body].nodes;
        return std::ranges::all_of(nodes, [&](NodeId inner) { return isPure(graph, inner); });
    });
}

bool isKnownOperator(const Graph& graph, NodeId node)
{
    return schemaOf(graph, node) != nullptr;
}

} // namespace plimsoll
