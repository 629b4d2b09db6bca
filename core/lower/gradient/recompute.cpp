#include "core/lower/gradient/recompute.h"

#include "core/lower/free_names.h"
#include "core/lower/gradient/recompute_choice.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll {
namespace {

std::size_t beginOfBackward(const Graph& graph)
{
    const std::vector<NodeId>& order = graph.top().nodes;
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), graph.boundary.firstBackward) -
                                    order.begin());
}

class Recomputer
{
public:
    Recomputer(Graph graph, std::vector<SavedTensor> saved, const RecomputeRequest& request, const DecisionLog& log)
        : m_families(graph), m_begin(beginOfBackward(graph)),
          m_choice(chooseRecomputed(graph, m_families, m_begin, saved, request)), m_log(log), m_names(graph),
          m_copyOf(graph.values.size()), m_nodeCopy(graph.nodes.size()), m_needed(graph.values.size(), false)
    {
        m_made.graph = std::move(graph);
        m_made.saved = std::move(saved);
        noteNames(request.names);
    }

    Recomputation run()
    {
        logRefusals();
        takeSaved();
        if (m_anew.empty()) return std::move(m_made);
        markNeeded();
        rewireBackward();
        keepSources();
        return std::move(m_made);
    }

private:
    [[nodiscard]] bool isAnew(ValueId value) const
    {
        return value.valid() && value.index() < m_copyOf.size() && m_choice.anew[m_families.root(value).index()];
    }
    [[nodiscard]] const std::string& nameOf(ValueId value) const { return m_graph[value].name; }

    void noteNames(const std::vector<std::string>& names)
    {
        for (const std::string& name : names) {
            const ValueId value = findValue(m_graph, name);
            if (isAnew(value)) continue;
            const std::string why = value.valid() ? std::string(recomputeRule(verdictOf(value))) : "there is none";
            m_made.notes.push_back("'" + name + "' is not computed anew in backward: " + why + ".");
        }
    }

    [[nodiscard]] RecomputeVerdict verdictOf(ValueId value) const
    {
        return m_choice.verdicts[m_families.root(value).index()];
    }

    void logRefusals()
    {
        std::set<ValueId> told;
        for (const SavedTensor& one : m_made.saved) {
            const RecomputeVerdict verdict = verdictOf(one.value);
            const bool asked = verdict != RecomputeVerdict::NotWanted && verdict != RecomputeVerdict::Callers;
            if (isAnew(one.value) || !asked || !m_log.recording() || !told.insert(one.value).second) continue;
            m_log.add({DecisionKind::Recompute, nameOf(one.value), m_graph[one.savedBy].name, false,
                       std::string(recomputeRule(verdict)), "'" + nameOf(one.value) + "' is kept: " + sentence(verdict),
                       m_graph[one.value].type.bytes().value_or(0)});
        }
    }

    static std::string sentence(RecomputeVerdict verdict)
    {
        switch (verdict) {
        case RecomputeVerdict::NoLess:
            return "to compute it anew, as many bytes would be kept.";
        case RecomputeVerdict::Random:
            return "its node is random, and would make another.";
        case RecomputeVerdict::Changed:
            return "it, or what it follows from, is written in place.";
        case RecomputeVerdict::Output:
            return "as an output it stays in any case.";
        case RecomputeVerdict::TooDeep:
            return "it follows from others that are computed anew, and the first reader would need them all.";
        default:
            return "its operator is not cheap.";
        }
    }

    /// Splits what is kept into what still is, and what is computed anew.
    void takeSaved()
    {
        std::vector<SavedTensor> kept;
        for (SavedTensor& one : m_made.saved) {
            if (isAnew(one.value))
                m_anew[one.value].push_back(std::move(one));
            else
                kept.push_back(std::move(one));
        }
        m_made.saved = std::move(kept);
    }

    /// What backward reads, and what its copies read, of all that is computed anew.
    void markNeeded()
    {
        std::vector<ValueId> open;
        const auto mark = [&](ValueId value) {
            if (!isAnew(value) || m_needed[value.index()]) return;
            m_needed[value.index()] = true;
            open.push_back(value);
        };
        const std::vector<NodeId>& order = m_graph.top().nodes;
        for (std::size_t i = m_begin; i < order.size(); ++i) {
            for (const ValueId input : m_graph[order[i]].inputs)
                mark(input);
        }
        while (!open.empty()) {
            const NodeId node = m_graph[open.back()].producer;
            open.pop_back();
            for (const ValueId input : m_graph[node].inputs)
                mark(input);
        }
    }

    void rewireBackward()
    {
        const std::vector<NodeId> before = m_graph.top().nodes;
        m_position.resize(m_nodeCopy.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            m_position[before[i].index()] = i;
        m_order.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(m_begin));
        for (std::size_t i = m_begin; i < before.size(); ++i) {
            for (std::size_t input = 0; input < m_graph[before[i]].inputs.size(); ++input) {
                const ValueId value = m_graph[before[i]].inputs[input];
                if (!isAnew(value)) continue;
                const ValueId copy = copyFor(value);
                m_graph[before[i]].inputs[input] = copy;
            }
            m_order.push_back(before[i]);
        }
        m_graph.boundary.firstBackward = m_order[m_begin];
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
        noteRecomputed(std::move(made));
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
                if (isAnew(input)) open.push_back(input);
            }
        }
        std::vector<NodeId> inOrder(nodes.begin(), nodes.end());
        std::sort(inOrder.begin(), inOrder.end(),
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
        copy.recomputes = original;
        for (ValueId& input : copy.inputs) {
            if (input.valid()) movedBytes += m_graph[input].type.bytes().value_or(0);
            if (isAnew(input)) input = m_copyOf[input.index()];
        }
        for (std::size_t output = 0; output < copy.outputs.size(); ++output)
            m_graph.nodes[id.index()].outputs[output] = copyValue(copy.outputs[output], id, movedBytes);
        m_order.push_back(id);
        return id;
    }

    /// Invalid for what nobody reads, but for a node's first output.
    ValueId copyValue(ValueId original, NodeId node, std::int64_t& movedBytes)
    {
        const bool first = original.valid() && m_graph[original].producerOutput == 0;
        if (!original.valid() || (!first && !m_needed[original.index()])) return {};
        Value value;
        value.name = m_names.forValue(nameOf(original) + ":again");
        value.type = m_graph[original].type;
        value.space = m_graph[original].space;
        value.alignment = m_graph[original].alignment;
        value.producer = node;
        value.producerOutput = m_graph[original].producerOutput;
        movedBytes += value.type.bytes().value_or(0);
        m_graph.values.push_back(std::move(value));
        return m_copyOf[original.index()] = ValueId(m_graph.values.size() - 1);
    }

    void noteRecomputed(RecomputedTensor made)
    {
        made.was = m_anew[made.value];
        if (m_log.recording()) {
            const std::string count =
                made.nodes.size() == 1 ? "one node" : std::to_string(made.nodes.size()) + " nodes";
            m_log.add({DecisionKind::Recompute, nameOf(made.value), nameOf(made.copy), true, "recomputed",
                       "'" + nameOf(made.value) + "' is computed anew in backward, by " + count +
                           ", and what it follows from is kept for less.",
                       m_graph[made.value].type.bytes().value_or(0)});
        }
        m_made.recomputed.push_back(std::move(made));
    }

    /// What the copies read of the forward graph is kept for them.
    void keepSources()
    {
        const std::map<NodeId, std::set<ValueId>> servedBy = variablesByCopy();
        for (const auto& [copy, variables] : servedBy) {
            std::set<ValueId> told;
            for (std::size_t i = 0; i < m_graph[copy].inputs.size(); ++i) {
                const ValueId input = m_graph[copy].inputs[i];
                const bool forward = input.valid() && input.index() < m_copyOf.size();
                if (!forward || !readsContent(m_graph, copy, static_cast<int>(i)) || !told.insert(input).second)
                    continue;
                if (m_graph[input].role == ValueRole::Constant) continue;
                const NodeId producer = m_graph[input].producer;
                SavedTensor saved {input,
                                   producer.valid() ? producer : m_graph[copy].recomputes,
                                   copy,
                                   "input",
                                   SavingReason::Recomputation,
                                   0,
                                   {}};
                saved.neededFor.assign(variables.begin(), variables.end());
                m_made.saved.push_back(std::move(saved));
            }
        }
    }

    /// By copy, whose gradients need what it makes: walks from the readers back.
    [[nodiscard]] std::map<NodeId, std::set<ValueId>> variablesByCopy() const
    {
        std::map<NodeId, std::set<ValueId>> variables;
        for (const NodeId copy : m_nodeCopy) {
            if (copy.valid()) variables[copy];
        }
        for (const auto& [value, slots] : m_anew) {
            const NodeId copy = m_nodeCopy[m_graph[value].producer.index()];
            for (const SavedTensor& slot : slots) {
                if (copy.valid()) variables[copy].insert(slot.neededFor.begin(), slot.neededFor.end());
            }
        }
        const std::vector<NodeId>& order = m_graph.top().nodes;
        for (auto id = order.rbegin(); id != order.rend(); ++id) {
            const auto from = variables.find(*id);
            if (from == variables.end()) continue;
            for (const ValueId input : m_graph[*id].inputs) {
                const auto to = input.valid() ? variables.find(m_graph[input].producer) : variables.end();
                if (to != variables.end() && to != from) to->second.insert(from->second.begin(), from->second.end());
            }
        }
        return variables;
    }

    Recomputation m_made;
    Graph& m_graph = m_made.graph;
    ByteFamilies m_families; ///< Of the graph as it was.
    std::size_t m_begin;
    RecomputeChoice m_choice;
    const DecisionLog& m_log;
    FreeNames m_names;
    std::vector<ValueId> m_copyOf;       ///< By ValueId of the graph as it was.
    std::vector<NodeId> m_nodeCopy;      ///< By NodeId of the graph as it was.
    std::vector<bool> m_needed;          ///< By ValueId of the graph as it was: backward, or a copy, reads it anew.
    std::set<ValueId> m_noted;           ///< What backward reads of the copies.
    std::vector<std::size_t> m_position; ///< By NodeId of the graph as it was: in the order of the top.
    std::vector<NodeId> m_order;
    std::map<ValueId, std::vector<SavedTensor>> m_anew;
};

} // namespace

Recomputation recompute(Graph graph, std::vector<SavedTensor> saved, const RecomputeRequest& request,
                        const DecisionLog& log)
{
    return Recomputer(std::move(graph), std::move(saved), request, log).run();
}

} // namespace plimsoll
