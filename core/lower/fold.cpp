#include "core/lower/fold.h"

#include "core/ops/literal_elements.h"
#include "core/ops/op_traits.h"

#include <algorithm>

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
            for (const NodeId node : m_graph[TopBody].nodes)
                computeAhead(node);
        }
        for (std::size_t b = m_graph.bodies.size(); b-- > 0;)
            dropUnneeded(BodyId(b)); // Inner bodies read what outer nodes make.
        return std::move(m_graph);
    }

private:
    [[nodiscard]] bool isResult(ValueId value) const { return !m_uses.results[value.index()].empty(); }

    /// Gives an intermediate value its bytes, where they are known.
    void foldKnown(ValueId id)
    {
        Value& value = m_graph[id];
        if (value.role != ValueRole::Intermediate || !value.producer.valid() || isResult(id)) return;
        if (m_kept.contains(value.name)) return;
        if (!m_graph[value.producer].bodies.empty() || !isPure(m_graph, value.producer)) return;
        const PartialTensor& content = m_contents[id.index()];
        if (const TensorLiteral* literal = literalOf(m_graph, value.producer); literal && literal->data.present())
            value.data = literal->data;
        else if (!content.complete() || (isFloatingPoint(content.dtype) && content.elements.size() > RealLimit))
            return;
        else
            value.data = writeElements(content);
        value.role = ValueRole::Constant;
        note(value.name, "known", say("fold.known"), value.type.bytes().value_or(0));
    }

    /// Marks a node whose inputs are all constants; the executor runs it once, before the first step.
    void computeAhead(NodeId id)
    {
        Node& node = m_graph[id];
        if (m_graph.decided[id].ahead || !node.bodies.empty() || !isPure(m_graph, id) || keepsAny(node)) return;
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

    /// A node whose outputs are all constants with data, or not read any more, takes no step.
    void dropUnneeded(BodyId body)
    {
        const auto& nodes = m_graph[body].nodes;
        for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
            Node& node = m_graph[*id];
            if (m_graph.decided[*id].ahead || !node.bodies.empty() || !isPure(m_graph, *id) || keepsAny(node)) continue;
            bool folded = false;
            const bool unneeded = std::ranges::all_of(node.outputs, [&](ValueId output) {
                if (!output.valid()) return true;
                const bool known = m_graph[output].role == ValueRole::Constant && m_graph[output].data.present();
                folded = folded || known || (!m_uses.reads[output.index()].empty() && !isRead(output));
                return known || (!isResult(output) && !isRead(output));
            });
            if (unneeded && folded) m_graph.decided.at(*id).ahead = true;
        }
    }

    [[nodiscard]] bool keepsAny(const Node& node) const
    {
        return std::ranges::any_of(
            node.outputs, [&](ValueId output) { return output.valid() && m_kept.contains(m_graph[output].name); });
    }

    [[nodiscard]] bool isRead(ValueId value) const
    {
        const auto& reads = m_uses.reads[value.index()];
        return std::ranges::any_of(reads, [&](const Uses::Read& read) { return !m_graph.decided[read.node].ahead; });
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

} // namespace plimsoll
