#include "core/advice/reordered_plan.h"

#include "core/analysis/alias_sets.h"
#include "core/pipeline/pipeline.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace plimsoll {
namespace {

/// The steps of a plan as nodes of its graph.
struct Steps
{
    const Graph& graph;
    std::vector<NodeId> nodes;
    std::set<NodeId> named {};
};

Steps stepsOf(const Graph& graph, const std::vector<std::string>& names)
{
    std::unordered_map<std::string_view, NodeId> ids;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        ids.emplace(graph.nodes[i].name, NodeId(i));
    Steps steps {graph, {}};
    for (const std::string& name : names) {
        const auto found = ids.find(name);
        steps.nodes.push_back(found == ids.end() ? NodeId() : found->second);
    }
    steps.named = {steps.nodes.begin(), steps.nodes.end()};
    return steps;
}

/// Whether it is nested in \p outer, at any depth, or that node itself.
bool belongsTo(const Graph& graph, NodeId node, NodeId outer)
{
    while (node.valid() && node != outer)
        node = graph[graph[node].body].owner;
    return node.valid();
}

/// Behind a node and what is nested in it.
std::size_t endOf(const Steps& steps, std::size_t begin)
{
    std::size_t end = begin + 1;
    while (end < steps.nodes.size() && steps.nodes[end].valid() &&
           belongsTo(steps.graph, steps.nodes[end], steps.nodes[begin]))
        ++end;
    return end;
}

/// A value that \p reader, or what is nested in it, has from \p maker, by way of what the plan does not name, too.
ValueId handedOver(const Steps& steps, NodeId maker, NodeId reader)
{
    const Graph& graph = steps.graph;
    std::vector<NodeId> open;
    std::set<NodeId> seen;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (belongsTo(graph, NodeId(i), reader)) open.emplace_back(i);
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (const ValueId value : graph[open[i]].inputs) {
            NodeId from = value.valid() ? graph[value].producer : NodeId();
            if (from.valid() && graph.decided[from].fusedInto.valid()) from = graph.decided[from].fusedInto;
            if (!from.valid()) continue;
            if (belongsTo(graph, from, maker)) return value;
            if (!steps.named.contains(from) && seen.insert(from).second) open.push_back(from);
        }
    }
    return {};
}

/// The values whose bytes a node uses, as the roots of their alias sets; only those that it changes where \p changed.
std::set<ValueId> bytesUsed(const Graph& graph, const TraitTable& traits, const AliasSets& aliases, NodeId outer,
                            bool changed)
{
    std::set<ValueId> roots;
    const auto add = [&](ValueId value) {
        if (value.valid()) roots.insert(aliases.root[value.index()]);
    };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!belongsTo(graph, NodeId(i), outer)) continue;
        const Node& node = graph.nodes[i];
        for (const AliasTrait& trait : traits[NodeId(i)])
            if (changed && trait.kind == AliasKind::Mutates) add(valueAt(node.inputs, trait.input));
        if (!changed) std::ranges::for_each(node.inputs, add);
    }
    return roots;
}

/// Whose bytes the nodes of a program use.
struct AliasUses
{
    const Graph& graph;
    TraitTable traits;
    AliasSets aliases;

    explicit AliasUses(const PlannedProgram& program)
        : graph(*program.graph), traits(graph, program.implementations), aliases(findAliasSets(graph, traits))
    {
    }
};

/// Bytes that both use and one changes; invalid: none.
ValueId contested(const AliasUses& all, NodeId one, NodeId other)
{
    const auto& [graph, traits, aliases] = all;
    for (const auto& [changes, uses] : {std::pair(one, other), std::pair(other, one)}) {
        const std::set<ValueId> used = bytesUsed(graph, traits, aliases, uses, false);
        for (const ValueId root : bytesUsed(graph, traits, aliases, changes, true))
            if (used.contains(root)) return root;
    }
    return {};
}

/// What the plan has in the captured order, said by it: steps, and where in them others were added.
void stateOrder(PlanFile& plan, const Report& report)
{
    PlanFile own = planOf(report);
    std::unordered_map<std::string_view, std::int64_t> after;
    for (const PlanFile::Entry& entry : own.entries)
        if (entry.afterStep) after.emplace(entry.value, *entry.afterStep);
    for (PlanFile::Entry& entry : plan.entries)
        if (const auto found = after.find(entry.value); entry.afterStep && found != after.end())
            entry.afterStep = found->second;
    plan.steps = std::move(own.steps);
}

/// [first, middle) and [middle, last) change places; what was added stays behind its step.
void rotateSteps(PlanFile& plan, std::size_t first, std::size_t middle, std::size_t last)
{
    const auto at = [&](std::size_t i) { return plan.steps->begin() + static_cast<std::ptrdiff_t>(i); };
    std::rotate(at(first), at(middle), at(last));
    for (PlanFile::Entry& entry : plan.entries) {
        if (!entry.afterStep || *entry.afterStep < 0) continue;
        const auto position = static_cast<std::size_t>(*entry.afterStep);
        if (position < first || position >= last) continue;
        *entry.afterStep += position < middle ? std::int64_t(last - middle) : -std::int64_t(middle - first);
    }
}

Error bad(Message message)
{
    return {ErrorCode::BadInput, std::move(message), {}, {}};
}

/// Why \p second cannot run before \p first.
Status mayRunBefore(const Steps& steps, const AliasUses& uses, NodeId first, NodeId second)
{
    const Graph& graph = steps.graph;
    const word::Name before {graph[first].name};
    const word::Name behind {graph[second].name};
    if (const ValueId value = handedOver(steps, first, second); value.valid())
        return bad(say("reorder.reads", behind, word::Name {graph[value].name}, before));
    if (const ValueId value = contested(uses, first, second); value.valid())
        return bad(say("reorder.changes", before, behind, word::Name {graph[value].name}));
    return {};
}

/// The plan with the order stated, and where in it a node stands.
struct NodePlace
{
    PlanFile plan;
    Steps steps;
    std::size_t begin = 0;
};

Result<NodePlace> nodePlace(PlanFile plan, const Report& report, NodeId node)
{
    if (!plan.steps) stateOrder(plan, report);
    Steps steps = stepsOf(*report.program.graph, *plan.steps);
    const auto found = std::ranges::find(steps.nodes, node);
    if (found == steps.nodes.end())
        return bad(say("reorder.not-named", word::Name {(*report.program.graph)[node].name}));
    const auto begin = static_cast<std::size_t>(found - steps.nodes.begin());
    return NodePlace {std::move(plan), std::move(steps), begin};
}

/// The node at \c begin, with what is nested in it, to before the step \p to, past all that stands in between.
Result<PlanFile> shifted(NodePlace place, const Report& report, std::size_t to)
{
    const Steps& steps = place.steps;
    const std::size_t begin = place.begin;
    const std::size_t end = endOf(steps, begin);
    const bool earlier = to < begin;
    const AliasUses uses(report.program);
    for (std::size_t at = earlier ? to : end; at < (earlier ? begin : to); at = endOf(steps, at)) {
        const NodeId passed = steps.nodes[at];
        if (passed.valid())
            PLIMSOLL_TRY(mayRunBefore(steps, uses, earlier ? passed : steps.nodes[begin],
                                      earlier ? steps.nodes[begin] : passed));
    }
    rotateSteps(place.plan, earlier ? to : begin, earlier ? begin : end, earlier ? end : to);
    place.plan.file.clear();
    return std::move(place.plan);
}

} // namespace

Result<PlanFile> reordered(PlanFile plan, const Report& report, NodeId node, bool earlier)
{
    const Graph& graph = *report.program.graph;
    PLIMSOLL_ASSIGN(place, nodePlace(std::move(plan), report, node));
    const Steps& steps = place.steps;
    const std::size_t begin = place.begin;
    const std::size_t end = endOf(steps, begin);
    std::size_t other = earlier ? begin : end;
    const auto besides = [&](std::size_t at) {
        return steps.nodes[at].valid() && graph[steps.nodes[at]].body == graph[node].body;
    };
    while (earlier && other > 0 && !besides(--other)) {}
    const word::Name name {graph[node].name};
    const bool none = other == begin || other == steps.nodes.size() || !besides(other);
    if (none) return bad(earlier ? say("reorder.first", name) : say("reorder.last", name));
    const std::size_t to = earlier ? other : endOf(steps, other);
    return shifted(std::move(place), report, to);
}

Result<PlanFile> movedBefore(PlanFile plan, const Report& report, NodeId node, NodeId other)
{
    const Graph& graph = *report.program.graph;
    const word::Name name {graph[node].name};
    const word::Name behind {graph[other].name};
    if (graph[node].body != graph[other].body) return bad(say("reorder.other-body", name, behind));
    PLIMSOLL_ASSIGN(place, nodePlace(std::move(plan), report, node));
    const auto found = std::ranges::find(place.steps.nodes, other);
    if (found == place.steps.nodes.end()) return bad(say("reorder.not-named", behind));
    const auto to = static_cast<std::size_t>(found - place.steps.nodes.begin());
    if (to == place.begin || to == endOf(place.steps, place.begin)) return bad(say("reorder.there", name, behind));
    return shifted(std::move(place), report, to);
}

} // namespace plimsoll
