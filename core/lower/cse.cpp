#include "core/lower/cse.h"

#include "core/lower/byte_families.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace plimsoll {
namespace {

/// Bytes of a constant that is compared with others.
constexpr std::size_t LargestConstant = 1024;

std::string typeText(const TensorType& type)
{
    return std::to_string(static_cast<int>(type.kind)) + describe(type);
}

/// Whether \p twin does what \p node does, and names every output that \p node names.
bool computesAll(const Graph& graph, NodeId twin, NodeId node)
{
    const Node& a = graph[twin];
    const Node& b = graph[node];
    const bool same = a.attributes == b.attributes && a.declared->traits == b.declared->traits &&
                      a.declared->ignoredInputs == b.declared->ignoredInputs && a.at->stream == b.at->stream &&
                      a.outputs.size() >= b.outputs.size();
    if (!same) return false;
    for (std::size_t i = 0; i < b.outputs.size(); ++i) {
        if (!b.outputs[i].valid()) continue;
        if (!a.outputs[i].valid()) return false;
        const Value& first = graph[a.outputs[i]];
        const Value& second = graph[b.outputs[i]];
        if (typeText(first.type) != typeText(second.type) || first.at->space != second.at->space) return false;
    }
    return true;
}

const char* obstacleTo(const Graph& graph, const ByteFamilies& families, NodeId id)
{
    if (!isKnownOperator(graph, id)) return "opaque";
    if (!isPure(graph, id)) return "impure";
    const auto changed = [&families](ValueId value) { return value.valid() && families.isChanged(value); };
    const Node& node = graph[id];
    if (std::ranges::any_of(node.inputs, changed)) return "changed-bytes";
    if (std::ranges::any_of(node.outputs, changed)) return "changed-bytes";
    return nullptr;
}

class Merger
{
public:
    Merger(Graph graph, const DecisionLog& log)
        : m_graph(std::move(graph)), m_log(log), m_families(m_graph), m_meaning(m_graph.values.size()),
          m_handedOut(m_graph.values.size(), false)
    {
    }

    Graph run()
    {
        std::unordered_map<std::string, ValueId> constants;
        for (std::size_t value = 0; value < m_meaning.size(); ++value) {
            m_meaning[value] = ValueId(value);
            const Value& known = m_graph.values[value];
            const auto& bytes = known.data->bytes;
            if (known.role != ValueRole::Constant || !bytes || bytes->size() > LargestConstant) continue;
            const std::string content(reinterpret_cast<const char*>(bytes->data()), bytes->size());
            const std::string key = typeText(known.type) + "|" + known.at->space + "|" + content;
            m_meaning[value] = constants.try_emplace(key, ValueId(value)).first->second;
        }
        for (const Body& body : m_graph.bodies) {
            for (const ValueId output : body.outputs)
                m_handedOut[output.index()] = true;
        }
        if (m_graph.loss.valid()) m_handedOut[m_graph.loss.index()] = true;
        visit(TopBody);
        for (ValueId& value : m_graph.boundary.saved)
            value = m_meaning[value.index()];
        for (ValueId& value : m_graph.boundary.donated)
            value = m_meaning[value.index()];
        return std::move(m_graph);
    }

private:
    void visit(BodyId body)
    {
        std::unordered_map<std::string, std::vector<NodeId>> seen;
        const std::vector<NodeId> order = m_graph[body].nodes; // merging adds nodes
        for (const NodeId node : order) {
            if (m_graph.decided[node].ahead) continue;
            for (ValueId& input : m_graph[node].inputs) {
                if (input.valid() && m_graph[input].role != ValueRole::Constant) input = m_meaning[input.index()];
            }
            for (const BodyId inner : std::as_const(m_graph)[node].bodies)
                visit(inner);
            if (m_graph[node].bodies.empty()) consider(node, seen[keyOf(node)]);
        }
    }

    [[nodiscard]] std::string keyOf(NodeId id) const
    {
        const Node& node = m_graph[id];
        std::string key = qualifiedOp(node) + "|" + node.at->device;
        for (const ValueId input : node.inputs)
            key += "|" + (input.valid() ? std::to_string(m_meaning[input.index()].number()) : std::string());
        return key;
    }

    void consider(NodeId id, std::vector<NodeId>& candidates)
    {
        const auto twin =
            std::ranges::find_if(candidates, [&](NodeId other) { return computesAll(m_graph, other, id); });
        if (twin == candidates.end()) {
            candidates.push_back(id);
            return;
        }
        if (const char* obstacle = obstacleTo(m_graph, m_families, id)) return note(id, *twin, false, obstacle, 0);
        merge(id, *twin);
    }

    void merge(NodeId id, NodeId twin)
    {
        std::int64_t saved = 0;
        bool isolated = false;
        const ValueIds outputs = m_graph[id].outputs;
        const bool alone = std::ranges::count_if(outputs, [](ValueId o) { return o.valid(); }) == 1;
        m_graph.decided.at(id).ahead = true;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!outputs[i].valid()) continue;
            const ValueId meant = m_graph[twin].outputs[i];
            if (m_handedOut[outputs[i].index()]) {
                isolate(id, outputs[i], meant, alone);
                isolated = true;
            } else {
                m_meaning[outputs[i].index()] = meant;
                saved += m_graph[outputs[i]].type.bytes().value_or(0);
            }
        }
        note(id, twin, true, isolated ? "isolated" : "same-node", saved);
    }

    /// Keeps a result that is handed out as a copy: by \p id itself where that made nothing else, or by a node
    /// behind it.
    void isolate(NodeId id, ValueId output, ValueId meant, bool alone)
    {
        Node node;
        node.name = m_graph[id].name + (alone ? std::string() : ":" + m_graph[output].name);
        node.op = "Identity";
        node.inputs = {meant};
        node.outputs = {output};
        node.body = m_graph[id].body;
        node.at = m_graph[id].at;
        node.from.edit().source = m_graph[id].from->source;
        node.from.edit().module = m_graph[id].from->module;
        node.from.edit().origin = {"plimsoll", "Identity", "cse=on"};
        const NodeId holder = alone ? id : NodeId(m_graph.nodes.size());
        m_graph[output].producer = holder;
        m_graph[output].producerOutput = 0;
        if (alone) {
            m_graph[id] = std::move(node);
            m_graph.decided.at(id) = {};
            return;
        }
        std::ranges::replace(m_graph[id].outputs, output, ValueId());
        std::vector<NodeId>& order = m_graph[node.body].nodes;
        order.insert(std::ranges::find(order, id) + 1, holder);
        m_graph.nodes.push_back(std::move(node));
    }

    void note(NodeId id, NodeId twin, bool accepted, std::string_view rule, std::int64_t bytes) const
    {
        if (!m_log.recording()) return;
        const Message reason = say(rule == "same-node"  ? "merge.same-node"
                                   : rule == "isolated" ? "merge.isolated"
                                   : rule == "opaque"   ? "merge.opaque"
                                   : rule == "impure"   ? "merge.impure"
                                                        : "merge.changed",
                                   word::Name {m_graph[id].name}, word::Name {m_graph[twin].name});
        m_log.add(
            {DecisionKind::Merge, m_graph[id].name, m_graph[twin].name, accepted, std::string(rule), reason, bytes});
    }

    Graph m_graph;
    const DecisionLog& m_log;
    ByteFamilies m_families;
    std::vector<ValueId> m_meaning; ///< By ValueId: the value that holds the same content now.
    std::vector<bool> m_handedOut;  ///< By ValueId: an output of the graph or of a body, or the loss.
};

} // namespace

Graph mergeCommonSubexpressions(Graph graph, const DecisionLog& log)
{
    return Merger(std::move(graph), log).run();
}

} // namespace plimsoll
