#include "core/verify/accesses.h"
#include "core/verify/checks.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace plimsoll::verifying {
namespace {

/// A node that reads or writes bytes, under one of their names.
struct User
{
    NodeId node;
    ValueId value;
    bool mutates = false;
};

/// What the order of the plan is held against, and what is found.
struct OrderChecks
{
    const PlanFacts& facts;
    std::vector<Finding>& findings;
    std::set<std::pair<NodeId, NodeId>> said {}; ///< Pairs that a finding names, the one that should be first in front.

    [[nodiscard]] const Schedule& schedule() const { return facts.program.schedule; }
    [[nodiscard]] std::int64_t stepOf(NodeId node) const { return schedule().stepOf(node); }
    [[nodiscard]] bool runs(NodeId node) const { return !schedule().nodes[node.index()].empty(); }
};

void add(OrderChecks& on, NodeId first, NodeId second, std::vector<ValueId> values, Message message)
{
    if (!on.said.emplace(first, second).second) return;
    Finding finding;
    finding.rule = Rule::Order;
    finding.severity = ruleSeverity(finding.rule);
    finding.values = std::move(values);
    finding.nodes = {second, first};
    finding.steps = {on.stepOf(second), on.stepOf(first) + 1};
    finding.message = std::move(message);
    finding.fix = say("fix.order", nameOf(on.facts.graph(), first), nameOf(on.facts.graph(), second));
    on.findings.push_back(std::move(finding));
}

/// No node begins before what makes one of its operands; what it is nested in does not begin later than it does.
void checkData(OrderChecks& on)
{
    const Graph& graph = on.facts.graph();
    for (std::int64_t index = 0; index < on.schedule().length(); ++index) {
        const Step& step = on.schedule().steps[static_cast<std::size_t>(index)];
        for (const Read& read : accessesOf(on.facts, step).reads) {
            const NodeId maker = graph[read.value].producer;
            if (!maker.valid() || !on.runs(maker) || on.stepOf(maker) <= index) continue;
            add(on, maker, step.node, {read.value},
                say("order", nameOf(graph, step.node), word::Number {index}, nameOf(graph, read.value),
                    nameOf(graph, maker), word::Number {on.stepOf(maker)}));
        }
    }
}

/// Which values are the same bytes by declaration: each group has the number of one of them.
std::vector<std::size_t> groupsOf(const PlanFacts& facts)
{
    const Graph& graph = facts.graph();
    std::vector<std::size_t> group(graph.values.size());
    std::iota(group.begin(), group.end(), std::size_t {0});
    const auto find = [&](std::size_t value) {
        while (group[value] != value)
            value = group[value] = group[group[value]];
        return value;
    };
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        for (const AliasTrait& trait : facts.traits[NodeId(node)]) {
            const ValueId input = valueAt(graph.nodes[node].inputs, trait.input);
            const ValueId output = valueAt(graph.nodes[node].outputs, trait.output);
            const bool same = trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates;
            if (same && input.valid() && output.valid()) group[find(output.index())] = find(input.index());
        }
    }
    for (std::size_t value = 0; value < group.size(); ++value)
        group[value] = find(value);
    return group;
}

/// By group: the nodes that use its bytes.
std::map<std::size_t, std::vector<User>> usersOf(const PlanFacts& facts)
{
    const std::vector<std::size_t> group = groupsOf(facts);
    std::map<std::size_t, std::vector<User>> users;
    for (const Step& step : facts.program.schedule.steps) {
        for (const Read& read : accessesOf(facts, step).reads)
            users[group[read.value.index()]].push_back({step.node, read.value});
        if (step.kind != StepKind::Node) continue;
        for (const AliasTrait& trait : facts.traits[step.node]) {
            const ValueId output = valueAt(facts.graph()[step.node].outputs, trait.output);
            if (trait.kind == AliasKind::Mutates && output.valid())
                users[group[output.index()]].push_back({step.node, output, true});
        }
    }
    return users;
}

/// What writes over bytes keeps its place among those that use them: the captured order says what they read.
void checkEffects(OrderChecks& on)
{
    const Graph& graph = on.facts.graph();
    const Schedule captured = scheduleInCapturedOrder(graph);
    for (const auto& [group, users] : usersOf(on.facts)) {
        for (const User& writer : users) {
            if (!writer.mutates) continue;
            for (const User& user : users) {
                const bool before = captured.stepOf(user.node) < captured.stepOf(writer.node);
                if (user.node == writer.node || before == (on.stepOf(user.node) < on.stepOf(writer.node))) continue;
                const NodeId first = before ? user.node : writer.node;
                const NodeId second = before ? writer.node : user.node;
                add(on, first, second, {user.value, writer.value},
                    say("order.effect", nameOf(graph, writer.node), word::Number {on.stepOf(writer.node)},
                        nameOf(graph, user.value), nameOf(graph, user.node), word::Number {on.stepOf(user.node)},
                        nameOf(graph, first)));
            }
        }
    }
}

} // namespace

void checkOrder(const PlanFacts& facts, std::vector<Finding>& findings)
{
    if (isCapturedOrder(facts.graph(), facts.program.schedule)) return;
    OrderChecks on {facts, findings};
    checkData(on);
    checkEffects(on);
}

bool isMadeLater(const PlanFacts& facts, ValueId value, std::int64_t step)
{
    const NodeId maker = facts.graph()[value].producer;
    return maker.valid() && facts.program.schedule.stepOf(maker) > step;
}

} // namespace plimsoll::verifying
