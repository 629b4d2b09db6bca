#include "core/lower/choose/sparse_dispatch.h"

#include "core/lower/choose/sparse_offers.h"
#include "core/lower/node_insertion.h"
#include "core/ops/sparse_rules.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Why it is not computed as its tensors are kept; empty where it is.
Message refusalOf(const Graph& graph, const DispatchRequest& request, NodeId node,
                  const std::vector<Implementation>& offers)
{
    const std::string op = qualifiedOp(graph[node]);
    const std::string kept = inputTypesText(graph, node);
    if (offers.empty()) return say("dense.no-implementation", op, kept);
    const SparseRule* rule = sparseRuleOf(graph, node);
    const bool conversion = rule && rule->conversion;
    if (request.policies.sparse == SparsePolicy::Dense && !conversion)
        return say("dense.policy", Remedy::policy("sparse", "dense"), op, kept);
    const auto pin = request.pins.find(graph[node].name);
    if (pin == request.pins.end()) return {};
    const auto meant = [&](const Implementation& offer) { return pinMeans(pin->second, offer); };
    const auto* listed = catalogueOffers(request.catalogue, graph, node);
    const bool native = std::ranges::any_of(offers, meant);
    const bool dense = listed && std::ranges::any_of(*listed, meant);
    return native || !dense ? Message() : say("dense.pinned", word::Name {pin->second});
}

void addOnce(std::vector<ValueId>& list, ValueId value)
{
    if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

void note(const DecisionLog& log, const Graph& graph, NodeId node, bool native, const char* rule,
          const Implementation& offer, const DenseFallback& fallback)
{
    if (!log.recording()) return;
    std::int64_t bytes = 0;
    for (const ValueId value : fallback.temporaries)
        bytes += graph[value].type.bytes().value_or(0);
    const Message reason =
        native ? say("dense.native", describe(offer)) : say("dense.temporaries", bytes, fallback.reason);
    log.add(
        {DecisionKind::StorageType, graph[node].name, native ? describe(offer) : "dense", native, rule, reason, bytes});
}

class Fallbacks
{
public:
    Fallbacks(SparseDispatch& result, const DispatchRequest& request, const DecisionLog& log)
        : m_result(result), m_graph(result.graph), m_request(request), m_log(log), m_nodes(result.graph)
    {
    }

    void run()
    {
        visit(TopBody);
        for (std::size_t body = 1; body < m_graph.bodies.size(); ++body)
            castResults(BodyId(body));
        const Uses uses = findUses(m_graph);
        for (const ResultCast& cast : m_casts) { // What every reader takes as a dense one is never brought back.
            const std::size_t value = cast.output.index();
            if (!uses.reads[value].empty() || !uses.results[value].empty()) m_nodes.putBehind(cast.behind, cast.node);
        }
        m_nodes.rebuildOrder();
    }

private:
    /// In the order in which they run, so that a conversion stands before its first reader.
    void visit(BodyId body)
    {
        const std::vector<NodeId> nodes = m_graph[body].nodes;
        for (const NodeId node : nodes) {
            if (touchesSparse(m_graph, node) && isOurs(node)) settle(node);
            const std::vector<BodyId> bodies = m_graph[node].bodies;
            for (const BodyId inner : bodies)
                visit(inner);
        }
    }

    [[nodiscard]] bool isOurs(NodeId node) const
    {
        return !m_request.onlyPinned || m_request.pins.contains(m_graph[node].name);
    }

    void settle(NodeId node)
    {
        const std::vector<Implementation> offers = nativeOffers(m_graph, node, m_request.catalogue);
        const Message refusal = refusalOf(m_graph, m_request, node, offers);
        if (refusal.empty()) return note(m_log, m_graph, node, true, "native", offers.front(), {});
        DenseFallback fallback {node, refusal, {}};
        castInputs(fallback);
        // A conversion between two sparse kinds leaves the second one itself.
        const bool leavesSparse =
            refusalOf(m_graph, m_request, node, nativeOffers(m_graph, node, m_request.catalogue)).empty();
        if (!leavesSparse) castOutputs(fallback);
        note(m_log, m_graph, node, false, offers.empty() ? "no-implementation" : "not-allowed", {}, fallback);
        m_result.fallbacks.push_back(std::move(fallback));
    }

    void castInputs(DenseFallback& fallback)
    {
        for (std::size_t i = 0; i < m_graph[fallback.node].inputs.size(); ++i) {
            const ValueId source = m_graph[fallback.node].inputs[i];
            if (!source.valid() || !m_graph[source].type.isSparse()) continue;
            auto [made, isNew] = m_dense.try_emplace(source);
            if (isNew) {
                made->second = m_nodes.addValue(source, "dense");
                m_graph[made->second].type = m_graph[source].type.asDense();
                const NodeId cast = addCast(source, made->second, m_graph.decided[fallback.node].ahead);
                m_nodes.putBefore(fallback.node, source, cast);
            }
            m_graph[fallback.node].inputs[i] = made->second;
            addOnce(fallback.temporaries, made->second);
        }
    }

    /// The value keeps its name and is kept as it was; the node writes a dense one from now on.
    void castOutputs(DenseFallback& fallback)
    {
        const ValueIds outputs = m_graph[fallback.node].outputs;
        for (const ValueId output : outputs) {
            if (!output.valid() || !m_graph[output].type.isSparse()) continue;
            const bool ahead = m_graph.decided[fallback.node].ahead;
            const ValueId inner = m_nodes.replaceWritten(output, "dense");
            m_graph[inner].type = m_graph[output].type.asDense();
            m_graph[inner].role = m_graph[output].role;
            m_casts.push_back({fallback.node, addCast(inner, output, ahead), output});
            m_dense[output] = inner;
            addOnce(fallback.temporaries, inner);
        }
    }

    /// Of nested graphs; those of the graph itself are handed out as they are kept.
    void castResults(BodyId body)
    {
        if (!isOurs(m_graph[body].owner)) return;
        for (ValueId& result : m_graph[body].outputs) {
            if (!m_graph[result].type.isSparse()) continue;
            auto [made, isNew] = m_dense.try_emplace(result);
            const bool here = !isNew && m_graph[made->second].body == body;
            const ValueId dense = here ? made->second : m_nodes.addValue(result, "dense");
            if (!here) {
                m_graph[dense].type = m_graph[result].type.asDense();
                m_graph[dense].body = body;
                m_nodes.putAtEnd(body, addCast(result, dense, false));
            }
            m_result.fallbacks.push_back({m_graph[body].owner, say("dense.nested"), std::vector {dense}});
            result = dense;
        }
    }

    [[nodiscard]] NodeId addCast(ValueId from, ValueId to, bool ahead)
    {
        const NodeId cast = m_nodes.addNode("CastStorage", "cast_storage", from, to);
        const TensorType& type = m_graph[to].type;
        m_graph[cast].attributes["storage"] = std::string(storageTypeName(type.storage));
        if (type.isSparse() && type.maxStored >= 0) m_graph[cast].attributes["max_stored"] = type.maxStored;
        if (ahead) m_nodes.moveAhead(cast);
        return cast;
    }

    struct ResultCast
    {
        NodeId behind;
        NodeId node;
        ValueId output;
    };

    SparseDispatch& m_result;
    Graph& m_graph;
    const DispatchRequest& m_request;
    const DecisionLog& m_log;
    NodeInserter m_nodes;
    std::vector<ResultCast> m_casts;    ///< Back to how outputs were kept.
    std::map<ValueId, ValueId> m_dense; ///< Sparse value → its dense copy, as far as there is one.
};

} // namespace

SparseDispatch dispatchSparse(Graph graph, const DispatchRequest& request, const DecisionLog& log)
{
    SparseDispatch result {std::move(graph), {}};
    const auto isSparse = [](const Value& value) { return value.type.isSparse(); };
    if (std::ranges::any_of(std::as_const(result.graph).values, isSparse)) Fallbacks(result, request, log).run();
    return result;
}

} // namespace plimsoll
