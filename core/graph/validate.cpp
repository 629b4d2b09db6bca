#include "core/graph/validate.h"

#include "core/base/name_index.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// No library computes with more, and a file could give each value millions.
constexpr std::size_t MostDimensions = 1'000;

Error bad(Message message, std::string where)
{
    return Error {ErrorCode::BadInput, std::move(message), std::move(where), {}};
}

std::string at(const Node& node)
{
    return "node '" + node.name + "'";
}

std::string at(const Value& value)
{
    return "value '" + value.name + "'";
}

/// Walks the bodies in captured order and keeps which values are defined so far.
class Walk
{
public:
    explicit Walk(const Graph& graph) : m_graph(graph), m_defined(graph.values.size(), false) {}

    Status run()
    {
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const Value& value = m_graph.values[i];
            if (value.role == ValueRole::Input || value.role == ValueRole::Parameter ||
                (value.role == ValueRole::Constant && !value.producer.valid())) {
                m_defined[i] = true;
            }
        }
        PLIMSOLL_TRY(visit(TopBody));
        return countHandles();
    }

private:
    /// Each output is related to all others that are the same value: so many, and their pairs would fill the memory.
    Status countHandles() const
    {
        constexpr std::size_t Most = 1000;
        std::vector<std::size_t> times(m_graph.values.size(), 0);
        for (const ValueId output : m_graph.top().outputs) {
            if (++times[output.index()] > Most)
                return bad(say("graph.output-repeats", word::Name {m_graph[output].name}, Most), bodyPlace(TopBody));
        }
        return {};
    }

    Status visit(BodyId body)
    {
        for (const ValueId input : m_graph[body].inputs) {
            if (!inRange(input)) return bad(say("graph.no-input"), bodyPlace(body));
            m_defined[input.index()] = true;
        }
        for (const NodeId id : m_graph[body].nodes) {
            if (id.index() >= m_graph.nodes.size()) return bad(say("graph.no-node"), bodyPlace(body));
            PLIMSOLL_TRY(visit(m_graph[id]));
            PLIMSOLL_TRY(define(id));
        }
        for (const ValueId output : m_graph[body].outputs) {
            if (!inRange(output) || !m_defined[output.index()] || !visibleFrom(output, body))
                return bad(inRange(output) ? say("graph.output-not-computed", word::Name {m_graph[output].name})
                                           : say("graph.no-output-computed"),
                           bodyPlace(body));
        }
        return {};
    }

    Status visit(const Node& node)
    {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const ValueId input = node.inputs[i];
            if (!input.valid()) continue;
            if (!inRange(input)) return bad(say("graph.no-numbered-input", word::Number(i)), at(node));
            if (!m_defined[input.index()])
                return bad(say("graph.read-too-early", word::Name {m_graph[input].name}), at(node));
            if (!visibleFrom(input, node.body))
                return bad(say("graph.input-of-other-body", word::Name {m_graph[input].name}), at(node));
        }
        for (const BodyId inner : node.bodies)
            PLIMSOLL_TRY(visit(inner));
        return {};
    }

    Status define(NodeId id)
    {
        const Node& node = m_graph[id];
        for (const ValueId output : node.outputs) {
            if (!output.valid()) continue;
            if (!inRange(output)) return bad(say("graph.no-node-output"), at(node));
            if (m_defined[output.index()])
                return bad(say("graph.value-twice", word::Name {m_graph[output].name}), at(node));
            if (m_graph[output].producer != id)
                return bad(say("graph.other-producer", word::Name {m_graph[output].name}), at(node));
            m_defined[output.index()] = true;
        }
        return {};
    }

    [[nodiscard]] bool inRange(ValueId id) const { return id.valid() && id.index() < m_graph.values.size(); }
    [[nodiscard]] bool visibleFrom(ValueId id, BodyId body) const { return isInside(m_graph, body, m_graph[id].body); }
    [[nodiscard]] std::string bodyPlace(BodyId body) const
    {
        const NodeId owner = m_graph[body].owner;
        return owner.valid() ? at(m_graph[owner]) + "/" + m_graph[body].name : "graph";
    }

    const Graph& m_graph;
    std::vector<bool> m_defined;
};

/// Orders one body's nodes: repeatedly takes, in captured order, the nodes whose producers are all placed.
class BodySort
{
public:
    BodySort(Graph& graph, BodyId body) : m_graph(graph), m_body(body), m_state(graph.nodes.size(), State::New) {}

    Status run()
    {
        for (const NodeId id : m_graph[m_body].nodes)
            PLIMSOLL_TRY(place(id));
        m_graph[m_body].nodes = std::move(m_order);
        return {};
    }

private:
    enum class State : std::uint8_t { New, Open, Placed };
    struct Frame
    {
        NodeId node;
        std::vector<NodeId> producers;
        std::size_t next = 0;
    };

    /// Depth first with a stack of its own: chains of 100,000 nodes are ordinary.
    Status place(NodeId root)
    {
        if (m_state[root.index()] == State::Placed) return {};
        std::vector<Frame> stack;
        open(stack, root);
        while (!stack.empty()) {
            Frame& top = stack.back();
            if (top.next == top.producers.size()) {
                m_state[top.node.index()] = State::Placed;
                m_order.push_back(top.node);
                stack.pop_back();
                continue;
            }
            const NodeId producer = top.producers[top.next++];
            if (m_state[producer.index()] == State::Open)
                return bad(say("graph.cycle", word::Name {m_graph[top.node].name}, word::Name {m_graph[producer].name}),
                           at(m_graph[top.node]));
            if (m_state[producer.index()] == State::New) open(stack, producer);
        }
        return {};
    }

    void open(std::vector<Frame>& stack, NodeId id)
    {
        m_state[id.index()] = State::Open;
        Frame frame {id, {}, 0};
        collectProducers(id, frame.producers);
        stack.push_back(std::move(frame));
    }

    /// Producers in this very body of everything that the node or a body inside it reads.
    void collectProducers(NodeId id, std::vector<NodeId>& producers) const
    {
        const Node& node = m_graph[id];
        for (const ValueId input : node.inputs)
            addProducer(input, producers);
        for (const BodyId inner : node.bodies) {
            for (const ValueId output : m_graph[inner].outputs)
                addProducer(output, producers);
            for (const NodeId nested : m_graph[inner].nodes)
                collectProducers(nested, producers);
        }
    }

    void addProducer(ValueId value, std::vector<NodeId>& producers) const
    {
        if (!value.valid()) return;
        const NodeId producer = m_graph[value].producer;
        if (producer.valid() && m_graph[producer].body == m_body) producers.push_back(producer);
    }

    Graph& m_graph;
    BodyId m_body;
    std::vector<State> m_state;
    std::vector<NodeId> m_order;
};

} // namespace

Status validate(const Graph& graph)
{
    NameIndex names;
    names.reserve(graph.values.size());
    const auto nameOf = [&](std::size_t value) -> std::string_view { return graph.values[value].name; };
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[i];
        if (!names.add(value.name, i, nameOf))
            return bad(say("graph.defined-twice", word::Name {value.name}), at(value));
        const TensorType& type = value.type;
        if (type.dims && type.dims->size() > MostDimensions)
            return bad(say("graph.too-many-dimensions", type.dims->size(), MostDimensions), at(value));
        if (type.dims && std::ranges::any_of(*type.dims, [](const Dim& dim) { return dim.size < -1; }))
            return bad(say("graph.negative-dimension"), at(value));
        const bool sized = type.kind == TypeKind::Tensor && dtypeBits(type.dtype) > 0;
        const auto bytes = type.isSparse() ? type.asDense().bytes() : type.bytes();
        if (sized && !bytes && type.shape()) return bad(say("dims.too-large", describe(type)), at(value));
    }
    return Walk(graph).run();
}

Status sortTopologically(Graph& graph)
{
    for (std::size_t b = 0; b < graph.bodies.size(); ++b)
        PLIMSOLL_TRY(BodySort(graph, BodyId(b)).run());
    return {};
}

} // namespace plimsoll
