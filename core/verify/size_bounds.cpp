#include "core/verify/plan_facts.h"

#include "core/ops/op_schema.h"
#include "core/ops/rules/largest_outputs.h"

#include <algorithm>
#include <set>

namespace plimsoll::verifying {
namespace {

using Kind = BodyLink::Kind;

/// What the steps so far can have made at most.
struct Bounds
{
    const Graph& graph;
    LargestFacts largest;
    std::set<ValueId> handedOut {}; ///< Outputs of owners that a branch has left.
};

bool isLoop(const Bounds& bounds, NodeId owner)
{
    return bodyRule(bounds.graph, owner) == BodyRule::Loop;
}

void atEnter(Bounds& bounds, NodeId owner)
{
    if (!isLoop(bounds, owner)) return;
    const BodyId body = bounds.graph[owner].bodies.front();
    NodeFacts facts(bounds.graph, owner, bounds.largest);
    for (const BodyLink& link : bodyLinks(bounds.graph, owner, body)) {
        const ValueId inner = valueAt(bounds.graph[body].inputs, link.bodyInput);
        const bool changes =
            link.kind == Kind::Carried && valueAt(bounds.graph[body].outputs, link.bodyOutput) != inner;
        const bool comesIn = link.kind == Kind::Carried || link.kind == Kind::ScanInput;
        if (comesIn && !changes) bounds.largest.bound(inner, bodyTraits(bounds.graph, owner).inner(facts, link));
    }
}

/// Slices of each trip, or the larger of what branches hand out.
void atLeave(Bounds& bounds, NodeId owner, BodyId body)
{
    const BodyTraits& traits = bodyTraits(bounds.graph, owner);
    NodeFacts facts(bounds.graph, owner, bounds.largest);
    for (const BodyLink& link : bodyLinks(bounds.graph, owner, body)) {
        const ValueId to = valueAt(bounds.graph[owner].outputs, link.ownerOutput);
        const ValueId from = valueAt(bounds.graph[body].outputs, link.bodyOutput);
        if (!to.valid() || !from.valid()) continue;
        const TensorType& made = bounds.largest.type(from);
        if (link.kind == Kind::ScanOutput)
            bounds.largest.bound(to, traits.outer(facts, link, made, traits.trips(facts)));
        if (link.kind != Kind::Branch) continue;
        const bool first = bounds.handedOut.insert(to).second;
        bounds.largest.bound(to, first ? made : largerOf(bounds.largest.type(to), made));
    }
}

/// What a loop carried ends as it began, or is not known.
void atExit(Bounds& bounds, NodeId owner)
{
    if (!isLoop(bounds, owner)) return;
    const BodyId body = bounds.graph[owner].bodies.front();
    NodeFacts facts(bounds.graph, owner, bounds.largest);
    for (const BodyLink& link : bodyLinks(bounds.graph, owner, body)) {
        if (link.kind != Kind::Carried) continue;
        const ValueId state = valueAt(bounds.graph[body].inputs, link.bodyInput);
        const TensorType ends =
            bodyTraits(bounds.graph, owner).outer(facts, link, bounds.largest.type(state), UnknownSize);
        bounds.largest.bound(valueAt(bounds.graph[owner].outputs, link.ownerOutput), ends);
    }
}

void atNode(Bounds& bounds, NodeId node)
{
    const ValueIds& outputs = bounds.graph[node].outputs;
    const auto open = [&](ValueId value) { return value.valid() && isOpen(bounds.graph[value].type); };
    if (std::ranges::none_of(outputs, open)) return;
    const std::vector<TensorType> made = largestOutputs(bounds.graph, node, bounds.largest);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        bounds.largest.bound(outputs[i], made[i]);
}

} // namespace

std::vector<std::int64_t> sizeBounds(const Program& program)
{
    const Graph& graph = *program.graph;
    std::vector<std::int64_t> bytes(graph.values.size(), -1);
    if (std::ranges::none_of(graph.values, [](const Value& value) { return isOpen(value.type); })) return bytes;
    Bounds bounds {graph, LargestFacts(graph)};
    for (const Step& step : program.schedule.steps) {
        switch (step.kind) {
        case StepKind::Node:
            atNode(bounds, step.node);
            break;
        case StepKind::Enter:
            atEnter(bounds, step.node);
            break;
        case StepKind::Leave:
            atLeave(bounds, step.node, step.body);
            break;
        case StepKind::Exit:
            atExit(bounds, step.node);
            break;
        }
    }
    for (std::size_t value = 0; value < bytes.size(); ++value)
        bytes[value] = bounds.largest.largestBytes(ValueId(value));
    return bytes;
}

} // namespace plimsoll::verifying
