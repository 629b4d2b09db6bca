#include "core/lower/gradient/repeat_backward.h"

#include "core/lower/free_names.h"
#include "core/lower/gradient/backward_node.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll {
namespace {

class Repeater
{
public:
    explicit Repeater(Graph graph) : m_graph(std::move(graph)), m_names(m_graph)
    {
        const std::vector<NodeId>& order = m_graph.top().nodes;
        m_pass.assign(std::ranges::find(order, m_graph.boundary.firstBackward), order.end());
        const std::vector<ValueId>& outputs = m_graph.top().outputs;
        m_gradients.assign(outputs.end() -
                               static_cast<std::ptrdiff_t>(std::min(m_graph.boundary.gradients, outputs.size())),
                           outputs.end());
    }

    Graph run(std::int64_t times, std::vector<SavedTensor>& saved)
    {
        std::vector<std::string> names;
        for (const ValueId gradient : m_gradients) {
            names.push_back(m_graph[gradient].name);
            m_graph[gradient].name = m_names.forValue(names.back() + "#1");
        }
        std::vector<ValueId> sums = m_gradients;
        for (std::int64_t pass = 2; pass <= times; ++pass) {
            copyPass(pass, sums);
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const std::string name = pass == times ? names[i] : m_names.forValue(names[i] + "#sum");
                const ValueId again = m_valueCopy.at(m_gradients[i]);
                const bool added = bufferOf(m_gradients[i]).valid();
                if (added) m_graph[again].name = name;
                sums[i] = added ? again : accumulate(sums[i], again, name);
            }
        }
        std::copy(sums.begin(), sums.end(), m_graph[TopBody].outputs.end() - static_cast<std::ptrdiff_t>(sums.size()));
        for (SavedTensor& one : saved) {
            if (const auto last = m_nodeCopy.find(one.readBy); last != m_nodeCopy.end()) one.readBy = last->second;
        }
        return std::move(m_graph);
    }

private:
    /// The caller's buffer of which the gradient is a new version; invalid for one with bytes of the plan.
    [[nodiscard]] ValueId bufferOf(ValueId gradient) const
    {
        const NodeId producer = m_graph[gradient].producer;
        if (!producer.valid()) return {};
        for (const AliasTrait& trait : aliasTraits(m_graph, producer)) {
            const ValueId input = m_graph[producer].inputs[static_cast<std::size_t>(trait.input)];
            const bool version = trait.kind == AliasKind::Mutates && trait.output == m_graph[gradient].producerOutput;
            if (version && input.valid()) return m_graph[input].producer.valid() ? bufferOf(input) : input;
        }
        return {};
    }

    /// Buffers are found as the pass before has left them: \p sums.
    void copyPass(std::int64_t pass, const std::vector<ValueId>& sums)
    {
        m_valueCopy.clear();
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (const ValueId buffer = bufferOf(m_gradients[i]); buffer.valid()) m_valueCopy[buffer] = sums[i];
        }
        for (const NodeId original : m_pass) {
            Node copy = m_graph[original];
            const NodeId id(m_graph.nodes.size());
            copy.name = m_names.forNode(copy.name + "#" + std::to_string(pass));
            for (ValueId& input : copy.inputs) {
                if (const auto here = m_valueCopy.find(input); here != m_valueCopy.end()) input = here->second;
            }
            for (ValueId& output : copy.outputs) {
                if (output.valid()) output = copyValue(output, id, pass);
            }
            m_nodeCopy[original] = id;
            m_graph.nodes.push_back(std::move(copy));
            m_graph.decided.copy(original, id);
            m_graph[TopBody].nodes.push_back(id);
        }
    }

    ValueId copyValue(ValueId original, NodeId producer, std::int64_t pass)
    {
        Value value = m_graph[original];
        value.name = m_names.forValue(value.name + "#" + std::to_string(pass));
        value.producer = producer;
        if (value.at->pinnedOffset) value.at.edit().pinnedOffset.reset();
        m_graph.values.push_back(std::move(value));
        return m_valueCopy[original] = ValueId(m_graph.values.size() - 1);
    }

    ValueId accumulate(ValueId sum, ValueId gradient, std::string name)
    {
        const TensorType type = m_graph[sum].type;
        Node node = formulaNode("Accumulate_", "g + g1", 2, *type.shape());
        node.name = m_names.forNode("add-to:" + name);
        node.declared.edit().traits->push_back({0, 0, AliasKind::Mutates, 0});
        node.inputs = {sum, gradient};
        node.outputs = {ValueId(m_graph.values.size())};
        Value value;
        value.name = std::move(name);
        value.type = type;
        value.at = LiesAt {.space = m_graph[sum].at->space};
        value.producer = NodeId(m_graph.nodes.size());
        m_graph.values.push_back(std::move(value));
        m_graph.nodes.push_back(std::move(node));
        m_graph[TopBody].nodes.push_back(NodeId(m_graph.nodes.size() - 1));
        return ValueId(m_graph.values.size() - 1);
    }

    Graph m_graph;
    FreeNames m_names;
    std::vector<NodeId> m_pass;             ///< The backward graph as it was.
    std::vector<ValueId> m_gradients;       ///< Of one pass.
    std::map<ValueId, ValueId> m_valueCopy; ///< Of the latest pass.
    std::map<NodeId, NodeId> m_nodeCopy;    ///< Of the latest pass.
};

} // namespace

Graph repeatBackward(Graph graph, std::int64_t times, std::vector<SavedTensor>& saved)
{
    return times < 2 ? std::move(graph) : Repeater(std::move(graph)).run(times, saved);
}

Graph retain(Graph graph, const std::vector<SavedTensor>& saved)
{
    Node node = formulaNode("RetainGraph", "0", 0, {});
    node.name = FreeNames(graph).forNode("retain_graph");
    node.attributes["grad.formulas"] = std::vector<std::string> {};
    node.attributes["grad.variables"] = std::vector<std::string> {};
    std::vector<std::string> names;
    std::set<ValueId> kept;
    for (const SavedTensor& one : saved) {
        if (!kept.insert(one.value).second) continue;
        node.inputs.push_back(one.value);
        names.push_back("kept" + std::to_string(names.size()));
    }
    node.attributes["grad.names"] = std::move(names);
    graph.nodes.push_back(std::move(node));
    graph[TopBody].nodes.emplace_back(graph.nodes.size() - 1);
    return graph;
}

} // namespace plimsoll
