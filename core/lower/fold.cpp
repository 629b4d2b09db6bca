#include "core/lower/fold.h"

#include "core/ops/literal_elements.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace plimsoll {

namespace {

constexpr std::size_t RealLimit =
    64; ///< Elements. Real numbers in shape arithmetic are few (scales); more are weights.

/// The literal that a constant node holds, to be shared and not copied.
const TensorLiteral* literalOf(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    return node.op == "Constant" && node.domain.empty() ? findAttribute<TensorLiteral>(node, "value") : nullptr;
}

bool keepsAny(const Graph& graph, const Node& node, const std::unordered_set<std::string_view>& kept)
{
    return std::ranges::any_of(node.outputs,
                               [&](ValueId output) { return output.valid() && kept.contains(graph[output].name); });
}

bool isRead(const Graph& graph, const Uses& uses, ValueId value)
{
    return std::ranges::any_of(uses.reads[value.index()],
                               [&](const Uses::Read& read) { return !graph.decided[read.node].ahead; });
}

/// Marks pure nodes ahead that are not needed: readers before what they read, since inner bodies read what outer nodes
/// make.
template <typename IsUnneeded>
void dropNodes(Graph& graph, const std::unordered_set<std::string_view>& kept, const IsUnneeded& isUnneeded)
{
    const Graph& seen = graph;
    for (const Body& body : std::views::reverse(seen.bodies)) {
        for (const NodeId id : std::views::reverse(body.nodes)) {
            const Node& node = seen[id];
            if (seen.decided[id].ahead || !node.bodies.empty() || !isUnneeded(id)) continue;
            if (!keepsAny(seen, node, kept) && isPure(seen, id)) graph.decided.at(id).ahead = true;
        }
    }
}

class Folder
{
public:
    Folder(const InferredGraph& inferred, FoldPolicy policy, const DecisionLog& log,
           const std::unordered_set<std::string_view>& kept)
        : m_graph(inferred.graph), m_contents(inferred.contents), m_policy(policy), m_log(log), m_kept(kept),
          m_uses(findUses(m_graph))
    {
    }

    Graph run()
    {
        if (m_policy == FoldPolicy::Off) return std::move(m_graph);
        for (std::size_t v = 0; v < m_graph.values.size(); ++v)
            foldKnown(ValueId(v));
        if (m_policy == FoldPolicy::All) {
            for (const NodeId node : std::as_const(m_graph)[TopBody].nodes)
                computeAhead(node);
        }
        dropNodes(m_graph, m_kept, [this](NodeId id) { return isFoldedAway(std::as_const(m_graph)[id]); });
        return std::move(m_graph);
    }

private:
    [[nodiscard]] bool isResult(ValueId value) const { return !m_uses.results[value.index()].empty(); }

    /// Gives an intermediate value its bytes, where they are known.
    void foldKnown(ValueId id)
    {
        const Graph& seen = m_graph;
        const NodeId producer = seen[id].producer;
        if (seen[id].role != ValueRole::Intermediate || !producer.valid() || isResult(id)) return;
        if (m_kept.contains(seen[id].name)) return;
        const PartialTensor none;
        const PartialTensor& content = id.index() < m_contents.size() ? m_contents[id.index()] : none;
        const TensorLiteral* literal = literalOf(seen, producer);
        const bool held = literal && literal->data.present();
        if (!held && (!content.complete() || (isFloatingPoint(content.dtype) && content.elements.size() > RealLimit)))
            return;
        if (!seen[producer].bodies.empty() || !isPure(seen, producer)) return;
        TensorData data = held ? literal->data : writeElements(content);
        Value& value = m_graph[id];
        value.data = std::move(data);
        value.role = ValueRole::Constant;
        note(value.name, "known", say("fold.known"), value.type.bytes().value_or(0));
    }

    /// Marks a node whose inputs are all constants; the executor runs it once, before the first step.
    void computeAhead(NodeId id)
    {
        const Node& node = std::as_const(m_graph)[id];
        if (m_graph.decided[id].ahead || !node.bodies.empty() || !isPure(m_graph, id) ||
            keepsAny(m_graph, node, m_kept))
            return;
        const bool constant = std::ranges::all_of(node.inputs, [&](ValueId input) {
            return !input.valid() || m_graph[input].role == ValueRole::Constant ||
                   m_graph[input].role == ValueRole::Parameter;
        });
        const bool keeps = std::ranges::all_of(node.outputs, [&](ValueId output) {
            return !output.valid() || (!isResult(output) && m_graph[output].type.kind == TypeKind::Tensor);
        });
        if (!constant || !keeps) return;
        m_graph.decided.at(id).ahead = true;
        for (const ValueId output : node.outputs) {
            if (!output.valid()) continue;
            m_graph[output].role = ValueRole::Constant;
            note(m_graph[output].name, "constant-inputs", say("fold.constants"),
                 m_graph[output].type.bytes().value_or(0));
        }
    }

    /// Whether its outputs are all constants with data, or not read any more.
    [[nodiscard]] bool isFoldedAway(const Node& node) const
    {
        bool folded = false;
        const bool unneeded = std::ranges::all_of(node.outputs, [&](ValueId output) {
            if (!output.valid()) return true;
            const bool read = isRead(m_graph, m_uses, output);
            const bool known = m_graph[output].role == ValueRole::Constant && m_graph[output].data->present();
            folded = folded || known || (!m_uses.reads[output.index()].empty() && !read);
            return known || (!isResult(output) && !read);
        });
        return unneeded && folded;
    }

    void note(const std::string& subject, const char* rule, const Message& reason, std::int64_t bytes)
    {
        if (m_log.recording()) m_log.add({DecisionKind::Fold, subject, {}, true, rule, reason, bytes});
    }

    Graph m_graph;
    const std::vector<PartialTensor>& m_contents;
    FoldPolicy m_policy;
    const DecisionLog& m_log;
    const std::unordered_set<std::string_view>& m_kept;
    Uses m_uses;
};

} // namespace

Graph fold(const InferredGraph& inferred, FoldPolicy policy, const DecisionLog& log,
           const std::unordered_set<std::string_view>& kept)
{
    return Folder(inferred, policy, log, kept).run();
}

Graph dropDeadNodes(Graph graph, const std::unordered_set<std::string_view>& kept)
{
    const Uses uses = findUses(graph);
    const std::set<ValueId> saved(graph.boundary.saved.begin(), graph.boundary.saved.end());
    const auto isNeeded = [&](ValueId value) {
        return value.valid() && (!uses.results[value.index()].empty() || value == graph.loss || saved.contains(value) ||
                                 isRead(graph, uses, value));
    };
    dropNodes(graph, kept, [&](NodeId id) { return std::ranges::none_of(std::as_const(graph)[id].outputs, isNeeded); });
    return graph;
}

} // namespace plimsoll
