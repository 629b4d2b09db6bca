#include "core/analysis/largest_bytes.h"

#include "core/ops/op_schema.h"
#include "core/ops/rules/largest_outputs.h"

#include <algorithm>

namespace plimsoll {
namespace {

void visitBody(LargestFacts& largest, const Graph& graph, BodyId body);

void visitBranches(LargestFacts& largest, const Graph& graph, NodeId owner)
{
    std::vector<std::optional<TensorType>> outputs(graph[owner].outputs.size());
    for (const BodyId body : graph[owner].bodies) {
        visitBody(largest, graph, body);
        for (const BodyLink& link : bodyLinks(graph, owner, body)) {
            if (link.ownerOutput < 0) continue;
            std::optional<TensorType>& output = outputs[static_cast<std::size_t>(link.ownerOutput)];
            const TensorType& from = largest.type(valueAt(graph[body].outputs, link.bodyOutput));
            output = output ? largerOf(*output, from) : from;
        }
    }
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (outputs[i]) largest.bound(graph[owner].outputs[i], *outputs[i]);
}

void visitLoop(LargestFacts& largest, const Graph& graph, NodeId owner, BodyId body)
{
    using Kind = BodyLink::Kind;
    NodeFacts facts(graph, owner, largest);
    const BodyTraits& traits = bodyTraits(graph, owner);
    const std::vector<BodyLink> links = bodyLinks(graph, owner, body);
    for (const BodyLink& link : links) {
        const ValueId inner = valueAt(graph[body].inputs, link.bodyInput);
        const bool handedOn = link.kind == Kind::Carried && inner == valueAt(graph[body].outputs, link.bodyOutput);
        if (handedOn || link.kind == Kind::ScanInput) largest.bound(inner, traits.inner(facts, link));
    }
    visitBody(largest, graph, body);
    const std::int64_t trips = traits.trips(facts);
    for (const BodyLink& link : links) {
        if (link.ownerOutput < 0) continue;
        const ValueId from = link.kind == Kind::Carried ? valueAt(graph[body].inputs, link.bodyInput)
                                                        : valueAt(graph[body].outputs, link.bodyOutput);
        largest.bound(valueAt(graph[owner].outputs, link.ownerOutput),
                      traits.outer(facts, link, largest.type(from), trips));
    }
}

void visitBody(LargestFacts& largest, const Graph& graph, BodyId body)
{
    for (const NodeId id : graph[body].nodes) {
        const Node& node = graph[id];
        const BodyRule rule = node.bodies.empty() ? BodyRule::Once : bodyRule(graph, id);
        if (rule == BodyRule::Branch) visitBranches(largest, graph, id);
        if (rule == BodyRule::Loop) visitLoop(largest, graph, id, node.bodies.front());
        if (rule != BodyRule::Once) continue;
        for (const BodyId inner : node.bodies)
            visitBody(largest, graph, inner);
        if (std::ranges::none_of(node.outputs, [&](ValueId one) { return one.valid() && isOpen(graph[one].type); }))
            continue;
        const std::vector<TensorType> types = largestOutputs(graph, id, largest);
        for (std::size_t i = 0; i < types.size(); ++i)
            largest.bound(node.outputs[i], types[i]);
    }
}

} // namespace

std::vector<std::int64_t> findLargestBytes(const Graph& graph)
{
    std::vector<std::int64_t> bytes(graph.values.size(), -1);
    if (std::ranges::none_of(graph.values, [](const Value& value) { return isOpen(value.type); })) return bytes;
    LargestFacts largest(graph);
    visitBody(largest, graph, TopBody);
    for (std::size_t value = 0; value < bytes.size(); ++value)
        bytes[value] = largest.largestBytes(ValueId(value));
    return bytes;
}

} // namespace plimsoll
