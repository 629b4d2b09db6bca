#include "core/lower/gradient/recompute.h"

#include "core/lower/free_names.h"
#include "core/lower/gradient/recompute_choice.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll {
namespace {

/// What is computed anew, of the graph as it was.
struct Anew
{
    [[nodiscard]] bool has(ValueId value) const
    {
        return value.valid() && value.index() < choice.anew.size() && choice.anew[families.root(value).index()];
    }
    [[nodiscard]] RecomputeVerdict verdictOf(ValueId value) const
    {
        return choice.verdicts[families.root(value).index()];
    }

    ByteFamilies families;
    RecomputeChoice choice;
};

std::string_view sentenceFor(RecomputeVerdict verdict)
{
    switch (verdict) {
    case RecomputeVerdict::NoLess:
        return "kept.no-less";
    case RecomputeVerdict::Random:
        return "kept.random";
    case RecomputeVerdict::Changed:
        return "kept.changed";
    case RecomputeVerdict::Output:
        return "kept.output";
    case RecomputeVerdict::TooDeep:
        return "kept.too-deep";
    default:
        return "kept.not-cheap";
    }
}

void noteRefusals(const Anew& anew, const std::vector<std::string>& names, Recomputation& made, const DecisionLog& log)
{
    const Graph& graph = made.graph;
    for (const std::string& name : names) {
        const ValueId value = findValue(graph, name);
        if (anew.has(value)) continue;
        made.notes.push_back(value.valid() ? say("anew.not", word::Name {name}, recomputeRule(anew.verdictOf(value)))
                                           : say("anew.none", word::Name {name}));
    }
    std::set<ValueId> told;
    for (const SavedTensor& one : made.saved) {
        const RecomputeVerdict verdict = anew.verdictOf(one.value);
        const bool asked = verdict != RecomputeVerdict::NotWanted && verdict != RecomputeVerdict::Callers;
        if (anew.has(one.value) || !asked || !log.recording() || !told.insert(one.value).second) continue;
        const Value& value = graph[one.value];
        log.add({DecisionKind::Recompute, value.name, graph[one.savedBy].name, false,
                 std::string(recomputeRule(verdict)), say(sentenceFor(verdict), word::Name {value.name}),
                 value.type.bytes().value_or(0)});
    }
}

/// By ValueId: what backward reads, and what its copies read, of all that is computed anew.
std::vector<bool> findNeeded(const Graph& graph, const Anew& anew, std::size_t begin)
{
    std::vector<bool> needed(graph.values.size(), false);
    std::vector<ValueId> open;
    const auto mark = [&](ValueId value) {
        if (!anew.has(value) || needed[value.index()]) return;
        needed[value.index()] = true;
        open.push_back(value);
    };
    const std::vector<NodeId>& order = graph.top().nodes;
    for (std::size_t i = begin; i < order.size(); ++i) {
        for (const ValueId input : graph[order[i]].inputs)
            mark(input);
    }
    while (!open.empty()) {
        const NodeId node = graph[open.back()].producer;
        open.pop_back();
        for (const ValueId input : graph[node].inputs)
            mark(input);
    }
    return needed;
}

/// By copy, whose gradients need what it makes: walks from the readers back.
std::map<NodeId, std::set<ValueId>> variablesByCopy(const Graph& graph, const std::vector<NodeId>& nodeCopy,
                                                    const std::map<ValueId, std::vector<SavedTensor>>& anew)
{
    std::map<NodeId, std::set<ValueId>> variables;
    for (const NodeId copy : nodeCopy) {
        if (copy.valid()) variables[copy];
    }
    for (const auto& [value, slots] : anew) {
        const NodeId copy = nodeCopy[graph[value].producer.index()];
        for (const SavedTensor& slot : slots) {
            if (copy.valid()) variables[copy].insert(slot.neededFor.begin(), slot.neededFor.end());
        }
    }
    const std::vector<NodeId>& order = graph.top().nodes;
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        const auto from = variables.find(*id);
        if (from == variables.end()) continue;
        for (const ValueId input : graph[*id].inputs) {
            const auto to = input.valid() ? variables.find(graph[input].producer) : variables.end();
            if (to != variables.end() && to != from) to->second.insert(from->second.begin(), from->second.end());
        }
    }
    return variables;
}

/// What the copies read of the forward graph, which had so many values, is kept for them.
std::vector<SavedTensor> sourcesOf(const Graph& graph, std::size_t forwardValues,
                                   const std::map<NodeId, std::set<ValueId>>& variablesByCopy)
{
    std::vector<SavedTensor> sources;
    for (const auto& [copy, variables] : variablesByCopy) {
        std::set<ValueId> told;
        for (std::size_t i = 0; i < graph[copy].inputs.size(); ++i) {
            const ValueId input = graph[copy].inputs[i];
            const bool forward = input.valid() && input.index() < forwardValues;
            if (!forward || !readsContent(graph, copy, static_cast<int>(i)) || !told.insert(input).second) continue;
            if (graph[input].role == ValueRole::Constant) continue;
            const NodeId producer = graph[input].producer;
            SavedTensor saved {input,
                               producer.valid() ? producer : graph.decided[copy].recomputes,
                               copy,
                               "input",
                               SavingReason::Recomputation,
                               0,
                               {}};
            saved.neededFor.assign(variables.begin(), variables.end());
            sources.push_back(std::move(saved));
        }
    }
    return sources;
}

class Recomputer
{
public:
    Recomputer(Recomputation& made, const Anew& anew, std::size_t begin, const DecisionLog& log)
        : m_made(made), m_anew(anew), m_log(log), m_names(made.graph), m_needed(findNeeded(made.graph, anew, begin)),
          m_copyOf(made.graph.values.size()), m_nodeCopy(made.graph.nodes.size())
    {
    }

    void run(std::size_t begin)
    {
        std::vector<SavedTensor> kept;
        for (SavedTensor& one : m_made.saved) {
            if (m_anew.has(one.value))
                m_was[one.value].push_back(std::move(one));
            else
                kept.push_back(std::move(one));
        }
        m_made.saved = std::move(kept);
        if (m_was.empty()) return;
        rewireBackward(begin);
        for (SavedTensor& one : sourcesOf(m_graph, m_copyOf.size(), variablesByCopy(m_graph, m_nodeCopy, m_was)))
            m_made.saved.push_back(std::move(one));
    }

private:
    void rewireBackward(std::size_t begin)
    {
        const std::vector<NodeId> before = m_graph.top().nodes;
        m_position.resize(m_nodeCopy.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            m_position[before[i].index()] = i;
        m_order.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(begin));
        for (std::size_t i = begin; i < before.size(); ++i) {
            for (std::size_t input = 0; input < m_graph[before[i]].inputs.size(); ++input) {
                const ValueId value = m_graph[before[i]].inputs[input];
                if (!m_anew.has(value)) continue;
                const ValueId copy = copyFor(value); // adds nodes
                m_graph[before[i]].inputs[input] = copy;
            }
            m_order.push_back(before[i]);
        }
        m_graph.boundary.firstBackward = m_order[begin];
        m_graph[TopBody].nodes = std::move(m_order);
    }

    /// Copies what the value follows from, as far as that has not been done, in the order of the forward graph.
    ValueId copyFor(ValueId value)
    {
        if (!m_noted.insert(value).second) return m_copyOf[value.index()];
        const std::vector<NodeId> nodes = nodesBehind(value);
        RecomputedTensor made {value, {}, {}, {}, 0};
        for (const NodeId node : nodes)
            made.nodes.push_back(copyNode(node, made.movedBytes));
        made.copy = m_copyOf[value.index()];
        made.was = m_was[value];
        if (m_log.recording())
            m_log.add({DecisionKind::Recompute, m_graph[value].name, m_graph[made.copy].name, true, "recomputed",
                       say("anew", word::Name {m_graph[value].name}, made.nodes.size()),
                       m_graph[value].type.bytes().value_or(0)});
        m_made.recomputed.push_back(std::move(made));
        return m_copyOf[value.index()];
    }

    [[nodiscard]] std::vector<NodeId> nodesBehind(ValueId value) const
    {
        std::set<NodeId> nodes;
        std::vector<ValueId> open = {value};
        while (!open.empty()) {
            const NodeId node = m_graph[open.back()].producer;
            open.pop_back();
            if (m_nodeCopy[node.index()].valid() || !nodes.insert(node).second) continue;
            for (const ValueId input : m_graph[node].inputs) {
                if (m_anew.has(input)) open.push_back(input);
            }
        }
        std::vector<NodeId> inOrder(nodes.begin(), nodes.end());
        std::ranges::sort(inOrder,
                          [this](NodeId a, NodeId b) { return m_position[a.index()] < m_position[b.index()]; });
        return inOrder;
    }

    NodeId copyNode(NodeId original, std::int64_t& movedBytes)
    {
        const NodeId id(m_graph.nodes.size());
        m_nodeCopy[original.index()] = id;
        m_graph.nodes.push_back(m_graph[original]);
        Node& copy = m_graph.nodes.back();
        copy.name = m_names.forNode("recompute:" + copy.name);
        m_graph.decided.copy(original, id);
        m_graph.decided.at(id).recomputes = original;
        for (ValueId& input : copy.inputs) {
            if (input.valid()) movedBytes += m_graph[input].type.bytes().value_or(0);
            if (m_anew.has(input)) input = m_copyOf[input.index()];
        }
        for (std::size_t output = 0; output < copy.outputs.size(); ++output)
            m_graph.nodes[id.index()].outputs[output] = copyValue(copy.outputs[output], id, movedBytes);
        m_order.push_back(id);
        return id;
    }

    /// Invalid for what is never read, but for a node's first output.
    ValueId copyValue(ValueId original, NodeId node, std::int64_t& movedBytes)
    {
        const bool first = original.valid() && m_graph[original].producerOutput == 0;
        if (!original.valid() || (!first && !m_needed[original.index()])) return {};
        Value value;
        value.name = m_names.forValue(m_graph[original].name + ":again");
        value.type = m_graph[original].type;
        value.at = LiesAt {.space = m_graph[original].at->space, .alignment = m_graph[original].at->alignment};
        value.producer = node;
        value.producerOutput = m_graph[original].producerOutput;
        movedBytes += value.type.bytes().value_or(0);
        m_graph.values.push_back(std::move(value));
        return m_copyOf[original.index()] = ValueId(m_graph.values.size() - 1);
    }

    Recomputation& m_made;
    Graph& m_graph = m_made.graph;
    const Anew& m_anew;
    const DecisionLog& m_log;
    FreeNames m_names;
    std::vector<bool> m_needed;
    std::vector<ValueId> m_copyOf;       ///< By ValueId of the graph as it was.
    std::vector<NodeId> m_nodeCopy;      ///< By NodeId of the graph as it was.
    std::set<ValueId> m_noted;           ///< What backward reads of the copies.
    std::vector<std::size_t> m_position; ///< By NodeId of the graph as it was: in the order of the top.
    std::vector<NodeId> m_order;
    std::map<ValueId, std::vector<SavedTensor>> m_was; ///< What is not kept any more.
};

} // namespace

Recomputation recompute(Graph graph, std::vector<SavedTensor> saved, const RecomputeRequest& request,
                        const DecisionLog& log)
{
    const std::vector<NodeId>& order = graph.top().nodes;
    const auto begin = static_cast<std::size_t>(std::ranges::find(order, graph.boundary.firstBackward) - order.begin());
    const ByteFamilies families(graph);
    const Anew anew {families, chooseRecomputed(graph, families, begin, saved, request)};
    Recomputation made;
    made.graph = std::move(graph);
    made.saved = std::move(saved);
    noteRefusals(anew, request.names, made, log);
    Recomputer(made, anew, begin, log).run(begin);
    return made;
}

} // namespace plimsoll
