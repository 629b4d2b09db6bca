#include "core/verify/checks.h"

#include "core/ops/saving.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace plimsoll::verifying {
namespace {

/// Pairs of one heap of outputs grow with its square; more of them help no reader.
constexpr std::size_t MostPairs = 1'000;

/// Values that have to do with one another, directly or through others.
class Together
{
public:
    explicit Together(const Graph& graph) : m_root(graph.values.size())
    {
        std::iota(m_root.begin(), m_root.end(), std::size_t {0});
    }
    void join(ValueId a, ValueId b) { m_root[root(a)] = root(b); }
    [[nodiscard]] bool contains(ValueId a, ValueId b) { return root(a) == root(b); }
    [[nodiscard]] std::size_t root(ValueId of)
    {
        std::size_t value = of.index();
        while (m_root[value] != value)
            value = m_root[value] = m_root[m_root[value]];
        return value;
    }

private:
    std::vector<std::size_t> m_root;
};

/// What the graph itself declares to be the same bytes: views and new versions, whatever the plan.
Together declaredTogether(const PlanFacts& facts)
{
    const Graph& graph = facts.graph();
    Together together(graph);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        for (const AliasTrait& trait : facts.traits[NodeId(n)]) {
            if (trait.kind != AliasKind::View && trait.kind != AliasKind::Mutates) continue;
            const ValueId output = graph.nodes[n].outputs[static_cast<std::size_t>(trait.output)];
            const ValueId input = graph.nodes[n].inputs[static_cast<std::size_t>(trait.input)];
            if (output.valid() && input.valid()) together.join(output, input);
        }
    }
    return together;
}

/// Two outputs that have bytes in common.
struct SharedPair
{
    ValueId first;
    ValueId second;
    ArenaId arena;
    Interval bytes;
};

template <typename Id>
void addNew(std::vector<Id>& ids, const std::vector<Id>& more)
{
    for (const Id id : more) {
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
}

struct BoundaryChecks
{
    const PlanFacts& facts;
    const Graph& graph;
    const Walk& walk;
    std::vector<Finding>& findings;
    Together together;
    std::vector<SharedPair> shared {};
    std::vector<std::pair<ValueId, ValueId>> declared {}; ///< Outputs that the graph makes parts of these inputs.
    std::map<ValueId, std::vector<ValueId>> changed {};   ///< What the graph writes to the caller's, in order of steps.
};

/// Whether the caller can look at the bytes, or needs them for the next run.
bool isProtected(const BoundaryChecks& on, ValueId value)
{
    return on.facts[value].external && (on.graph[value].role != ValueRole::Input || on.graph[value].visible);
}

Finding between(BoundaryChecks& on, Rule rule, ValueId first, ValueId second)
{
    Finding finding;
    finding.rule = rule;
    finding.values = {first, second};
    for (const ValueId value : finding.values) {
        const NodeId producer = on.graph[value].producer;
        if (producer.valid() && (finding.nodes.empty() || finding.nodes.front() != producer))
            finding.nodes.push_back(producer);
    }
    // Read-only and copy-on-write guard what is written through an output, so an output may share with another, but not
    // with an input, which the caller refills.
    const OutputsPolicy policy = on.facts.program.policies.outputs;
    const bool guarded = policy == OutputsPolicy::ReadOnly || policy == OutputsPolicy::CopyOnWrite;
    finding.severity = on.together.contains(first, second) || policy == OutputsPolicy::Shared ? Severity::Warning
                       : guarded && rule == Rule::OutputAliasing                              ? Severity::Advice
                                                                                              : Severity::Error;
    // Both are the caller's afterwards, so they meet from the later one's first step on.
    const Interval a = stepsInUse(on.facts, on.walk, first);
    const Interval b = stepsInUse(on.facts, on.walk, second);
    finding.steps = {std::max(a.begin, b.begin), std::max(a.end, b.end)};
    return finding;
}

/// Whether the caller brought the input to have the output added to it, and so means to see it there.
bool isAddedTo(BoundaryChecks& on, ValueId output, ValueId input)
{
    const NodeId producer = on.graph[output].producer;
    const bool buffer = on.graph[input].role == ValueRole::Input && !on.graph[input].producer.valid();
    return buffer && producer.valid() && isBackward(on.graph, producer) && on.together.contains(output, input);
}

void checkPair(BoundaryChecks& on, ValueId first, ValueId second)
{
    if (on.facts[first].external && on.facts[second].external) return;
    if (on.facts[first].external) std::swap(first, second);
    if (isAddedTo(on, first, second)) return;
    const bool input = on.facts[second].external;
    if (input && on.together.contains(first, second)) {
        on.declared.emplace_back(first, second);
        return;
    }
    const Interval bytes = intersection(on.facts[first].read, on.facts[second].read);
    if (!input) {
        on.shared.push_back({first, second, on.facts[first].arena, bytes});
        return;
    }
    Finding finding = between(on, Rule::OutputAliasesInput, first, second);
    finding.arena = on.facts[first].arena;
    finding.bytes = bytes;
    finding.message = say("output-aliases-input", nameOf(on.graph, first), place(on.facts.map, finding.arena, bytes),
                          nameOf(on.graph, second), finding.steps);
    finding.fix = say("fix.own-bytes", nameOf(on.graph, first));
    on.findings.push_back(std::move(finding));
}

/// Sweeps over everything that the caller sees, in order of address.
void checkPairs(BoundaryChecks& on, const std::vector<ValueId>& outputs)
{
    std::vector<ValueId> seen = outputs;
    for (std::size_t i = 0; i < on.facts.values.size(); ++i) {
        if (isProtected(on, ValueId(i)) && on.facts.values[i].walkable) seen.push_back(ValueId(i));
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    std::erase_if(seen, [&](ValueId value) { return !on.facts[value].walkable || on.facts[value].read.empty(); });
    const auto where = [&](ValueId value) { return std::pair(on.facts[value].arena, on.facts[value].read.begin); };
    std::stable_sort(seen.begin(), seen.end(), [&](ValueId a, ValueId b) { return where(a) < where(b); });
    const std::size_t most = on.findings.size() + MostPairs;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        for (std::size_t j = i + 1; j < seen.size() && on.findings.size() + on.shared.size() < most; ++j) {
            if (on.facts[seen[j]].arena != on.facts[seen[i]].arena) break;
            if (on.facts[seen[j]].read.begin >= on.facts[seen[i]].read.end) break;
            checkPair(on, std::min(seen[i], seen[j]), std::max(seen[i], seen[j]));
        }
    }
}

/// No plan can do otherwise, so they are one finding. What a captured forward graph keeps for its backward graph is
/// handed from the one to the other, and is none.
void reportDeclared(BoundaryChecks& on)
{
    std::ranges::sort(on.declared);
    on.declared.erase(std::unique(on.declared.begin(), on.declared.end()), on.declared.end());
    const std::vector<ValueId>& saved = on.graph.boundary.saved;
    std::erase_if(on.declared, [&](const auto& pair) { return std::ranges::find(saved, pair.first) != saved.end(); });
    if (on.declared.empty()) return;
    Finding finding = between(on, Rule::OutputAliasesInput, on.declared.front().first, on.declared.front().second);
    finding.severity = Severity::Warning;
    const word::List names = listOf(on.declared, [&](const auto& pair) {
        return say("of", nameOf(on.graph, pair.first), nameOf(on.graph, pair.second));
    });
    finding.message = on.declared.size() == 1 ? say("output-aliases-input.declared", names)
                                              : say("output-aliases-input.several", on.declared.size(), names);
    finding.fix = say("fix.write-to-neither");
    for (std::size_t i = 1; i < on.declared.size(); ++i) {
        finding.values.insert(finding.values.end(), {on.declared[i].first, on.declared[i].second});
        finding.steps.end = std::max(finding.steps.end, stepsInUse(on.facts, on.walk, on.declared[i].first).end);
    }
    on.findings.push_back(std::move(finding));
}

/// A plan of ours shares only what a policy lets it.
Message remedyFor(const BoundaryChecks& on, const std::vector<SharedPair>& pairs, bool declared)
{
    if (declared) return say("fix.write-to-neither-pair");
    if (on.facts.ownPlan) return say("fix.independent", Remedy::policy("outputs", "independent"));
    return pairs.size() == 1 ? say("fix.own-bytes", nameOf(on.graph, pairs.front().first)) : say("fix.own-bytes-each");
}

void reportGroup(BoundaryChecks& on, const std::vector<SharedPair>& pairs, bool declared)
{
    Finding finding = between(on, Rule::OutputAliasing, pairs.front().first, pairs.front().second);
    finding.arena = pairs.front().arena;
    finding.bytes = pairs.front().bytes;
    for (const SharedPair& pair : pairs) {
        const Finding one = between(on, Rule::OutputAliasing, pair.first, pair.second);
        addNew(finding.values, one.values);
        addNew(finding.nodes, one.nodes);
        finding.steps = {std::min(finding.steps.begin, one.steps.begin), std::max(finding.steps.end, one.steps.end)};
        if (pair.arena != finding.arena) continue;
        finding.bytes = {std::min(finding.bytes.begin, pair.bytes.begin), std::max(finding.bytes.end, pair.bytes.end)};
    }
    const OutputsPolicy policy = on.facts.program.policies.outputs; // says what a write through one of two does
    const bool guarded = finding.severity == Severity::Advice;
    const Message what = say(guarded && policy == OutputsPolicy::ReadOnly      ? "sharing.refused"
                             : guarded && policy == OutputsPolicy::CopyOnWrite ? "sharing.moves"
                                                                               : "sharing.changes");
    const word::List names = listOf(pairs, [&](const SharedPair& pair) {
        return say("and", nameOf(on.graph, pair.first), nameOf(on.graph, pair.second));
    });
    const Message where =
        declared && pairs.size() > 1 ? say("bytes-as-declared") : place(on.facts.map, finding.arena, finding.bytes);
    finding.message = pairs.size() == 1
                          ? say("output-aliasing", names, where, finding.steps, what)
                          : say("output-aliasing.several", pairs.size(), where, finding.steps, names, what);
    finding.fix = remedyFor(on, pairs, declared);
    on.findings.push_back(std::move(finding));
}

/// Pairs that the graph declares are one finding, without what is handed to a backward graph elsewhere; and so are
/// those that meet in the same bytes by the plan's choice.
void reportShared(BoundaryChecks& on)
{
    const auto isSaved = [&](ValueId value) {
        return std::ranges::find(on.graph.boundary.saved, value) != on.graph.boundary.saved.end();
    };
    const auto byChoice = std::ranges::stable_partition(
        on.shared, [&](const SharedPair& pair) { return on.together.contains(pair.first, pair.second); });
    std::vector<SharedPair> declared(on.shared.begin(), byChoice.begin());
    std::erase_if(declared, [&](const SharedPair& pair) { return isSaved(pair.first) || isSaved(pair.second); });
    Together meeting(on.graph);
    for (const SharedPair& pair : byChoice)
        meeting.join(pair.first, pair.second);
    std::map<std::size_t, std::vector<SharedPair>> chosen;
    for (const SharedPair& pair : byChoice)
        chosen[meeting.root(pair.first)].push_back(pair);
    if (!declared.empty()) reportGroup(on, declared, true);
    for (const auto& [root, pairs] : chosen)
        reportGroup(on, pairs, false);
}

/// A gradient that is added to the caller's buffer has to be left there.
void checkAdded(BoundaryChecks& on, NodeId node, const AliasTrait& trait)
{
    const ValueId onto = on.graph[node].inputs[static_cast<std::size_t>(trait.input)];
    const ValueId sum = on.graph[node].outputs[static_cast<std::size_t>(trait.output)];
    const bool leaves = on.facts[onto].external && !on.facts.map.values[onto.index()].placed() && sum.valid() &&
                        on.facts.map.values[sum.index()].placed();
    if (!leaves) return;
    Finding finding = between(on, Rule::FalseIdentity, onto, sum);
    finding.severity = Severity::Error;
    finding.arena = on.facts[sum].arena;
    finding.bytes = on.facts[sum].read;
    finding.message =
        say("false-identity.added", nameOf(on.graph, node), nameOf(on.graph, onto), nameOf(on.graph, sum));
    finding.fix = say("fix.leave-in-place", nameOf(on.graph, sum), nameOf(on.graph, onto));
    on.findings.push_back(std::move(finding));
}

/// The graph itself asks for it, so it is no fault of the plan.
void checkMutation(BoundaryChecks& on, NodeId node)
{
    for (const AliasTrait& trait : on.facts.traits[node]) {
        if (trait.kind != AliasKind::Mutates) continue;
        if (isBackward(on.graph, node)) {
            checkAdded(on, node, trait);
            continue;
        }
        const ValueId output = on.graph[node].outputs[static_cast<std::size_t>(trait.output)];
        if (!output.valid()) continue;
        const bool inMap = output.index() < on.facts.map.values.size();
        const ValueId host =
            on.facts[output].aliasesCaller || !inMap ? on.facts[output].host : on.facts.map.values[output.index()].host;
        if (host.valid() && isProtected(on, host)) on.changed[host].push_back(output);
    }
}

void reportChanged(BoundaryChecks& on, ValueId host, const std::vector<ValueId>& versions)
{
    Finding finding = between(on, Rule::InputOverwritten, host, versions.front());
    finding.severity = Severity::Warning;
    std::vector<std::string> names;
    for (const ValueId version : versions) {
        const NodeId node = on.graph[version].producer;
        if (finding.nodes.empty() || finding.nodes.back() != node) finding.nodes.push_back(node);
        if (version != versions.front()) finding.values.push_back(version);
        finding.steps.end = std::max(finding.steps.end, stepsInUse(on.facts, on.walk, version).end);
        if (names.empty() || names.back() != on.graph[node].name) names.push_back(on.graph[node].name);
    }
    const std::int64_t step = on.facts.program.schedule.stepOf(on.graph[versions.front()].producer);
    finding.message = say(names.size() == 1 ? "input-overwritten.declared" : "input-overwritten.several",
                          namesOf(names), nameOf(on.graph, host), word::Number {step});
    finding.fix = say("fix.copy-before", nameOf(on.graph, host));
    on.findings.push_back(std::move(finding));
}

} // namespace

void checkBoundary(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    BoundaryChecks on {facts, facts.graph(), walk, findings, declaredTogether(facts)};
    std::vector<ValueId> outputs = on.graph.top().outputs;
    std::sort(outputs.begin(), outputs.end());
    outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
    checkPairs(on, outputs);
    for (const ValueId output : outputs) { // in the bytes of the caller without a place of its own
        const PlaceFacts& own = facts[output];
        if (!own.aliasesCaller || !own.host.valid() || !isProtected(on, own.host) || isAddedTo(on, output, own.host))
            continue;
        if (!own.aliasesByChoice) {
            on.declared.emplace_back(output, own.host);
            continue;
        }
        Finding finding = between(on, Rule::OutputAliasesInput, output, own.host);
        finding.message = say("output-aliases-input.host", nameOf(on.graph, output), nameOf(on.graph, own.host));
        finding.fix = say("fix.own-bytes", nameOf(on.graph, output));
        findings.push_back(std::move(finding));
    }
    reportDeclared(on);
    reportShared(on);
    for (const Step& step : facts.program.schedule.steps) {
        if (step.kind == StepKind::Node) checkMutation(on, step.node);
    }
    for (const auto& [host, versions] : on.changed)
        reportChanged(on, host, versions);
}

void checkReplays(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    if (facts.program.policies.replay != ReplayPolicy::Graph) return;
    std::set<ValueId> known;
    for (const ValueId output : facts.graph().top().outputs) {
        const PlaceFacts& own = facts[output];
        const bool inArena = own.walkable && own.arena.index() < facts.map.arenas.size();
        if (!inArena || !known.insert(output).second) continue;
        Finding finding;
        finding.rule = Rule::OutputDiesAtReplay;
        finding.severity = ruleSeverity(finding.rule);
        finding.values = {output};
        if (const NodeId producer = facts.graph()[output].producer; producer.valid()) finding.nodes = {producer};
        finding.arena = own.arena;
        finding.bytes = own.read;
        finding.steps = stepsInUse(facts, walk, output);
        finding.message = say(facts.map.arenas.size() > 1 ? "output-dies-at-replay.arena" : "output-dies-at-replay",
                              nameOf(facts.graph(), output), place(facts.map, own.arena, own.read));
        finding.fix = facts.ownPlan ? say("fix.copy-out-or-external", Remedy::policy("outputs", "external"))
                                    : say("fix.copy-out");
        findings.push_back(std::move(finding));
    }
}

} // namespace plimsoll::verifying
