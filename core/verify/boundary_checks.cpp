#include "core/verify/checks.h"

#include "core/ops/saving.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace plimsoll::verifying {
namespace {

/// Pairs of one heap of outputs grow with its square; nobody reads more of them.
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

class BoundaryChecks
{
public:
    BoundaryChecks(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
        : m_facts(facts), m_graph(facts.graph()), m_walk(walk), m_findings(findings),
          m_together(declaredTogether(facts))
    {
    }

    void run()
    {
        std::vector<ValueId> outputs = m_graph.top().outputs;
        std::sort(outputs.begin(), outputs.end());
        outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
        checkPairs(outputs);
        for (const ValueId output : outputs)
            checkLodging(output);
        reportDeclared();
        reportShared();
        for (const Step& step : m_facts.program.schedule.steps) {
            if (step.kind == StepKind::Node) checkMutation(step.node);
        }
        for (const auto& [host, versions] : m_changed)
            reportChanged(host, versions);
    }

private:
    void checkPairs(const std::vector<ValueId>& outputs);
    void checkPair(ValueId first, ValueId second);
    void checkLodging(ValueId output);
    void reportDeclared();
    void reportShared();
    void reportGroup(const std::vector<SharedPair>& pairs, bool declared);
    [[nodiscard]] Message remedyFor(const std::vector<SharedPair>& pairs, bool declared) const;
    void checkMutation(NodeId node);
    void reportChanged(ValueId host, const std::vector<ValueId>& versions);
    void checkAdded(NodeId node, const AliasTrait& trait);
    [[nodiscard]] bool isAddedTo(ValueId output, ValueId input);
    [[nodiscard]] bool isProtected(ValueId value) const;
    [[nodiscard]] Severity gravity(Rule rule) const;
    [[nodiscard]] Message consequence() const;
    [[nodiscard]] Finding between(Rule rule, ValueId first, ValueId second);

    const PlanFacts& m_facts;
    const Graph& m_graph;
    const Walk& m_walk;
    std::vector<Finding>& m_findings;
    Together m_together;
    std::vector<SharedPair> m_shared;
    std::vector<std::pair<ValueId, ValueId>> m_declared; ///< Outputs that the graph makes parts of these inputs.
    std::map<ValueId, std::vector<ValueId>> m_changed;   ///< What the graph writes to the caller's, in order of steps.
};

/// Whether the caller can look at the bytes, or needs them for the next run.
bool BoundaryChecks::isProtected(ValueId value) const
{
    return m_facts[value].external && (m_graph[value].role != ValueRole::Input || m_graph[value].visible);
}

Finding BoundaryChecks::between(Rule rule, ValueId first, ValueId second)
{
    Finding finding;
    finding.rule = rule;
    finding.values = {first, second};
    for (const ValueId value : finding.values) {
        const NodeId producer = m_graph[value].producer;
        if (producer.valid() && (finding.nodes.empty() || finding.nodes.front() != producer))
            finding.nodes.push_back(producer);
    }
    finding.severity = m_together.contains(first, second) ? Severity::Warning : gravity(rule);
    // Both are the caller's afterwards, so they meet from the later one's first step on.
    const Interval a = stepsInUse(m_facts, m_walk, first);
    const Interval b = stepsInUse(m_facts, m_walk, second);
    finding.steps = {std::max(a.begin, b.begin), std::max(a.end, b.end)};
    return finding;
}

/// How bad it is that a plan lets two things of the caller share. Read-only and copy-on-write guard what is written
/// through an output, so an output may share with another, but not with an input, which the caller refills himself.
Severity BoundaryChecks::gravity(Rule rule) const
{
    switch (m_facts.program.policies.outputs) {
    case OutputsPolicy::Shared:
        return Severity::Warning;
    case OutputsPolicy::ReadOnly:
    case OutputsPolicy::CopyOnWrite:
        return rule == Rule::OutputAliasing ? Severity::Advice : Severity::Error;
    case OutputsPolicy::Independent:
    case OutputsPolicy::External:
        break;
    }
    return Severity::Error;
}

/// What a write through one of two outputs that share does.
Message BoundaryChecks::consequence() const
{
    switch (m_facts.program.policies.outputs) {
    case OutputsPolicy::ReadOnly:
        return say("sharing.refused");
    case OutputsPolicy::CopyOnWrite:
        return say("sharing.moves");
    default:
        return say("sharing.changes");
    }
}

/// Sweeps over everything that the caller sees, in order of address.
void BoundaryChecks::checkPairs(const std::vector<ValueId>& outputs)
{
    std::vector<ValueId> seen = outputs;
    for (std::size_t i = 0; i < m_facts.values.size(); ++i) {
        if (isProtected(ValueId(i)) && m_facts.values[i].walkable) seen.push_back(ValueId(i));
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    std::erase_if(seen, [&](ValueId value) { return !m_facts[value].walkable || m_facts[value].read.empty(); });
    const auto where = [&](ValueId value) { return std::pair(m_facts[value].arena, m_facts[value].read.begin); };
    std::stable_sort(seen.begin(), seen.end(), [&](ValueId a, ValueId b) { return where(a) < where(b); });
    const std::size_t most = m_findings.size() + MostPairs;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        for (std::size_t j = i + 1; j < seen.size() && m_findings.size() + m_shared.size() < most; ++j) {
            if (m_facts[seen[j]].arena != m_facts[seen[i]].arena) break;
            if (m_facts[seen[j]].read.begin >= m_facts[seen[i]].read.end) break;
            checkPair(std::min(seen[i], seen[j]), std::max(seen[i], seen[j]));
        }
    }
}

void BoundaryChecks::checkPair(ValueId first, ValueId second)
{
    if (m_facts[first].external && m_facts[second].external) return;
    if (m_facts[first].external) std::swap(first, second);
    if (isAddedTo(first, second)) return;
    const bool input = m_facts[second].external;
    if (input && m_together.contains(first, second)) {
        m_declared.emplace_back(first, second);
        return;
    }
    const Interval bytes = intersection(m_facts[first].read, m_facts[second].read);
    if (!input) {
        m_shared.push_back({first, second, m_facts[first].arena, bytes});
        return;
    }
    Finding finding = between(Rule::OutputAliasesInput, first, second);
    finding.arena = m_facts[first].arena;
    finding.bytes = bytes;
    finding.message = say("output-aliases-input", nameOf(m_graph, first), place(m_facts.map, finding.arena, bytes),
                          nameOf(m_graph, second), finding.steps);
    finding.fix = say("fix.own-bytes", nameOf(m_graph, first));
    m_findings.push_back(std::move(finding));
}

/// Pairs that the graph declares are one finding, without what is handed to a backward graph elsewhere; and so are
/// those that meet in the same bytes by the plan's choice.
void BoundaryChecks::reportShared()
{
    const auto isSaved = [&](ValueId value) {
        return std::ranges::find(m_graph.boundary.saved, value) != m_graph.boundary.saved.end();
    };
    const auto byChoice = std::ranges::stable_partition(
        m_shared, [&](const SharedPair& pair) { return m_together.contains(pair.first, pair.second); });
    std::vector<SharedPair> declared(m_shared.begin(), byChoice.begin());
    std::erase_if(declared, [&](const SharedPair& pair) { return isSaved(pair.first) || isSaved(pair.second); });
    Together meeting(m_graph);
    for (const SharedPair& pair : byChoice)
        meeting.join(pair.first, pair.second);
    std::map<std::size_t, std::vector<SharedPair>> chosen;
    for (const SharedPair& pair : byChoice)
        chosen[meeting.root(pair.first)].push_back(pair);
    if (!declared.empty()) reportGroup(declared, true);
    for (const auto& [root, pairs] : chosen)
        reportGroup(pairs, false);
}

void BoundaryChecks::reportGroup(const std::vector<SharedPair>& pairs, bool declared)
{
    Finding finding = between(Rule::OutputAliasing, pairs.front().first, pairs.front().second);
    finding.arena = pairs.front().arena;
    finding.bytes = pairs.front().bytes;
    for (const SharedPair& pair : pairs) {
        const Finding one = between(Rule::OutputAliasing, pair.first, pair.second);
        addNew(finding.values, one.values);
        addNew(finding.nodes, one.nodes);
        finding.steps = {std::min(finding.steps.begin, one.steps.begin), std::max(finding.steps.end, one.steps.end)};
        if (pair.arena != finding.arena) continue;
        finding.bytes = {std::min(finding.bytes.begin, pair.bytes.begin), std::max(finding.bytes.end, pair.bytes.end)};
    }
    const Message what = finding.severity == Severity::Advice ? consequence() : say("sharing.changes");
    const word::List names = listOf(pairs, [&](const SharedPair& pair) {
        return say("and", nameOf(m_graph, pair.first), nameOf(m_graph, pair.second));
    });
    const Message where =
        declared && pairs.size() > 1 ? say("bytes-as-declared") : place(m_facts.map, finding.arena, finding.bytes);
    finding.message = pairs.size() == 1
                          ? say("output-aliasing", names, where, finding.steps, what)
                          : say("output-aliasing.several", pairs.size(), where, finding.steps, names, what);
    finding.fix = remedyFor(pairs, declared);
    m_findings.push_back(std::move(finding));
}

/// A plan of ours shares only what a policy lets it.
Message BoundaryChecks::remedyFor(const std::vector<SharedPair>& pairs, bool declared) const
{
    if (declared) return say("fix.write-to-neither-pair");
    if (m_facts.ownPlan) return say("fix.independent", Remedy::policy("outputs", "independent"));
    return pairs.size() == 1 ? say("fix.own-bytes", nameOf(m_graph, pairs.front().first)) : say("fix.own-bytes-each");
}

void BoundaryChecks::checkLodging(ValueId output)
{
    const PlaceFacts& facts = m_facts[output];
    if (!facts.aliasesCaller || !facts.host.valid() || !isProtected(facts.host) || isAddedTo(output, facts.host))
        return;
    if (!facts.aliasesByChoice) {
        m_declared.emplace_back(output, facts.host);
        return;
    }
    Finding finding = between(Rule::OutputAliasesInput, output, facts.host);
    finding.message = say("output-aliases-input.host", nameOf(m_graph, output), nameOf(m_graph, facts.host));
    finding.fix = say("fix.own-bytes", nameOf(m_graph, output));
    m_findings.push_back(std::move(finding));
}

/// No plan can do otherwise, so they are one finding. What a captured forward graph keeps for its backward graph is
/// handed from the one to the other, and is none.
void BoundaryChecks::reportDeclared()
{
    std::ranges::sort(m_declared);
    m_declared.erase(std::unique(m_declared.begin(), m_declared.end()), m_declared.end());
    const std::vector<ValueId>& saved = m_graph.boundary.saved;
    std::erase_if(m_declared, [&](const auto& pair) { return std::ranges::find(saved, pair.first) != saved.end(); });
    if (m_declared.empty()) return;
    Finding finding = between(Rule::OutputAliasesInput, m_declared.front().first, m_declared.front().second);
    finding.severity = Severity::Warning;
    const word::List names = listOf(m_declared, [&](const auto& pair) {
        return say("of", nameOf(m_graph, pair.first), nameOf(m_graph, pair.second));
    });
    finding.message = m_declared.size() == 1 ? say("output-aliases-input.declared", names)
                                             : say("output-aliases-input.several", m_declared.size(), names);
    finding.fix = say("fix.write-to-neither");
    for (std::size_t i = 1; i < m_declared.size(); ++i) {
        finding.values.insert(finding.values.end(), {m_declared[i].first, m_declared[i].second});
        finding.steps.end = std::max(finding.steps.end, stepsInUse(m_facts, m_walk, m_declared[i].first).end);
    }
    m_findings.push_back(std::move(finding));
}

/// The graph itself asks for it, so it is no fault of the plan.
void BoundaryChecks::checkMutation(NodeId node)
{
    for (const AliasTrait& trait : m_facts.traits[node]) {
        if (trait.kind != AliasKind::Mutates) continue;
        if (isBackward(m_graph, node)) {
            checkAdded(node, trait);
            continue;
        }
        const ValueId output = m_graph[node].outputs[static_cast<std::size_t>(trait.output)];
        if (!output.valid()) continue;
        const bool inMap = output.index() < m_facts.map.values.size();
        const ValueId host =
            m_facts[output].aliasesCaller || !inMap ? m_facts[output].host : m_facts.map.values[output.index()].host;
        if (host.valid() && isProtected(host)) m_changed[host].push_back(output);
    }
}

void BoundaryChecks::reportChanged(ValueId host, const std::vector<ValueId>& versions)
{
    Finding finding = between(Rule::InputOverwritten, host, versions.front());
    finding.severity = Severity::Warning;
    std::vector<std::string> names;
    for (const ValueId version : versions) {
        const NodeId node = m_graph[version].producer;
        if (finding.nodes.empty() || finding.nodes.back() != node) finding.nodes.push_back(node);
        if (version != versions.front()) finding.values.push_back(version);
        finding.steps.end = std::max(finding.steps.end, stepsInUse(m_facts, m_walk, version).end);
        if (names.empty() || names.back() != m_graph[node].name) names.push_back(m_graph[node].name);
    }
    const std::int64_t step = m_facts.program.schedule.stepOf(m_graph[versions.front()].producer);
    finding.message = say(names.size() == 1 ? "input-overwritten.declared" : "input-overwritten.several",
                          namesOf(names), nameOf(m_graph, host), word::Number {step});
    finding.fix = say("fix.copy-before", nameOf(m_graph, host));
    m_findings.push_back(std::move(finding));
}

/// Whether the caller brought the input to have the output added to it: then he means to see it there.
bool BoundaryChecks::isAddedTo(ValueId output, ValueId input)
{
    const NodeId producer = m_graph[output].producer;
    const bool buffer = m_graph[input].role == ValueRole::Input && !m_graph[input].producer.valid();
    return buffer && producer.valid() && isBackward(m_graph, producer) && m_together.contains(output, input);
}

/// A gradient that is added to the caller's buffer has to be left there.
void BoundaryChecks::checkAdded(NodeId node, const AliasTrait& trait)
{
    const ValueId onto = m_graph[node].inputs[static_cast<std::size_t>(trait.input)];
    const ValueId sum = m_graph[node].outputs[static_cast<std::size_t>(trait.output)];
    const bool leaves = m_facts[onto].external && !m_facts.map.values[onto.index()].placed() && sum.valid() &&
                        m_facts.map.values[sum.index()].placed();
    if (!leaves) return;
    Finding finding = between(Rule::FalseIdentity, onto, sum);
    finding.severity = Severity::Error;
    finding.arena = m_facts[sum].arena;
    finding.bytes = m_facts[sum].read;
    finding.message = say("false-identity.added", nameOf(m_graph, node), nameOf(m_graph, onto), nameOf(m_graph, sum));
    finding.fix = say("fix.leave-in-place", nameOf(m_graph, sum), nameOf(m_graph, onto));
    m_findings.push_back(std::move(finding));
}

} // namespace

void checkBoundary(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    BoundaryChecks(facts, walk, findings).run();
}

} // namespace plimsoll::verifying
