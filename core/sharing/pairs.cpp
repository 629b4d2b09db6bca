#include "core/sharing/pairs.h"

#include "core/ops/op_traits.h"

#include <span>

namespace plimsoll {

std::vector<std::pair<ValueId, ValueId>> handoversAt(const Graph& graph, const Step& step)
{
    using Kind = BodyLink::Kind;
    const Node& owner = graph[step.node];
    std::vector<std::pair<ValueId, ValueId>> pairs;
    const auto add = [&](std::span<const ValueId> from, int fromAt, std::span<const ValueId> to, int toAt) {
        const ValueId source = valueAt(from, fromAt);
        const ValueId target = valueAt(to, toAt);
        if (source.valid() && target.valid() && source != target) pairs.emplace_back(source, target);
    };
    for (const BodyId body : owner.bodies) {
        if (step.kind == StepKind::Leave && body != step.body) continue;
        for (const BodyLink& link : bodyLinks(graph, step.node, body)) {
            const bool state = link.kind == Kind::Carried || link.kind == Kind::Condition;
            if (step.kind == StepKind::Enter && state)
                add(owner.inputs, link.ownerInput, graph[body].inputs, link.bodyInput);
            if (step.kind == StepKind::Leave && state)
                add(graph[body].outputs, link.bodyOutput, graph[body].inputs, link.bodyInput);
            if (step.kind == StepKind::Leave && link.kind == Kind::Branch)
                add(graph[body].outputs, link.bodyOutput, owner.outputs, link.ownerOutput);
            if (step.kind == StepKind::Exit && link.kind == Kind::Carried)
                add(graph[body].inputs, link.bodyInput, owner.outputs, link.ownerOutput);
        }
    }
    return pairs;
}

std::vector<Pair> pairsAt(const Graph& graph, const Step& here, std::int64_t step, const TraitTable& traits)
{
    std::vector<Pair> pairs;
    if (here.kind != StepKind::Node) {
        for (const auto& [from, to] : handoversAt(graph, here))
            pairs.push_back({here.node, AliasKind::Identity, -1, -1, from, to, step, {}});
        return pairs;
    }
    const Node& node = graph[here.node];
    const auto add = [&](AliasKind kind, int input, int output, const SubBuffer& part) {
        const ValueId from = valueAt(node.inputs, input);
        const ValueId to = valueAt(node.outputs, output);
        if (from.valid() && to.valid())
            pairs.push_back({here.node, kind, input, output, from, to, step, traits[here.node], false, part});
    };
    for (const AliasTrait& trait : traits[here.node]) {
        if (trait.kind == AliasKind::Identity || trait.kind == AliasKind::MayBeInPlace)
            add(trait.kind, trait.input, trait.output, {});
    }
    for (const SubBuffer& part : traits.parts(here.node))
        add(AliasKind::Part, part.input, part.output, part);
    return pairs;
}

} // namespace plimsoll
