#include "core/lower/unroll.h"

#include "core/lower/gradient/backward_reach.h"
#include "core/lower/node_copier.h"
#include "core/ops/dims.h"
#include "core/ops/literal_elements.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

using Kind = BodyLink::Kind;

constexpr std::size_t MostNodes = 1'000'000;

/// The known elements of a value; none where they are not known in full.
std::optional<PartialTensor> knownElements(const Graph& graph, ValueId id)
{
    if (!id.valid() || graph[id].role != ValueRole::Constant) return std::nullopt;
    const Value& value = graph[id];
    PartialTensor known = readElements(value.type.dtype, value.type.shape().value_or(Shape {}), value.data);
    return known.complete() && !known.elements.empty() ? std::optional(std::move(known)) : std::nullopt;
}

bool isTrue(const Graph& graph, ValueId id)
{
    const auto known = knownElements(graph, id);
    return known && known->elements.front()->integer != 0;
}

ValueId at(const std::vector<ValueId>& values, int position)
{
    return position >= 0 && static_cast<std::size_t>(position) < values.size()
               ? values[static_cast<std::size_t>(position)]
               : ValueId();
}

/// Writes out one loop of the graph itself.
class Unroller
{
public:
    Unroller(Graph& graph, FreeNames& names, NodeId loop)
        : m_graph(graph), m_names(names), m_loop(loop), m_node(graph[loop]), m_body(graph[loop].bodies.front()),
          m_links(bodyLinks(graph, loop, m_body))
    {
    }

    Status run()
    {
        PLIMSOLL_ASSIGN(trips, countTrips());
        m_trips = trips;
        PLIMSOLL_TRY(checkSize());
        hoistConstants();
        begin();
        for (std::int64_t iteration = 0; iteration < m_trips; ++iteration)
            copyIteration(iteration);
        if (m_trips == 0) copyStates();
        stack();
        replaceLoop();
        return {};
    }

    [[nodiscard]] std::int64_t trips() const { return m_trips; }

private:
    [[nodiscard]] Error error(const std::string& message) const
    {
        return {ErrorCode::BadInput, message, "node '" + m_node.name + "' (" + qualifiedOp(m_node) + ")",
                m_graph.file.string()};
    }

    [[nodiscard]] Result<std::int64_t> countTrips() const
    {
        std::optional<std::int64_t> trips;
        for (const BodyLink& link : m_links) {
            const ValueId outer = at(m_node.inputs, link.ownerInput);
            if (link.kind == Kind::Condition && !alwaysGoesOn(link)) return unknownCount();
            if (link.kind == Kind::Iteration) {
                const auto known = knownElements(m_graph, outer);
                if (known) trips = std::max<std::int64_t>(0, known->elements.front()->integer);
            }
            if (link.kind == Kind::ScanInput && outer.valid()) trips = tripsOver(link, outer);
        }
        if (!trips) return unknownCount();
        return *trips;
    }

    [[nodiscard]] Error unknownCount() const
    {
        return error("Gradients pass through it, and its number of iterations is known at run time only: its backward "
                     "graph cannot be written out.");
    }

    [[nodiscard]] std::optional<std::int64_t> tripsOver(const BodyLink& link, ValueId outer) const
    {
        const auto shape = m_graph[outer].type.shape();
        if (!shape || m_graph[outer].type.kind != TypeKind::Tensor) return std::nullopt;
        const auto axis = normalAxis(inputAxis(link), shape->size());
        return axis ? std::optional((*shape)[*axis]) : std::nullopt;
    }

    /// What the value is equal to; invalid where its node computes something else.
    [[nodiscard]] ValueId copiedFrom(ValueId value) const
    {
        const NodeId maker = m_graph[value].producer;
        for (const AliasTrait& trait : aliasTraits(m_graph, maker)) {
            const bool copies = trait.kind == AliasKind::Identity && at(m_graph[maker].outputs, trait.output) == value;
            if (copies) return at(m_graph[maker].inputs, trait.input);
        }
        return {};
    }

    /// The condition begins as true, and the body hands on what it was given, or a constant.
    [[nodiscard]] bool alwaysGoesOn(const BodyLink& link) const
    {
        const ValueId first = at(m_node.inputs, link.ownerInput);
        const ValueId given = at(m_graph[m_body].inputs, link.bodyInput);
        ValueId next = at(m_graph[m_body].outputs, link.bodyOutput);
        while (next.valid() && m_graph[next].producer.valid() && !isTrue(m_graph, next)) {
            next = copiedFrom(next);
        }
        return (!first.valid() || isTrue(m_graph, first)) && next.valid() && (next == given || isTrue(m_graph, next));
    }

    /// Position of a scan input or output among those of its kind.
    [[nodiscard]] std::size_t scanIndex(const BodyLink& link) const
    {
        return static_cast<std::size_t>(
            std::count_if(m_links.data(), &link, [&](const BodyLink& other) { return other.kind == link.kind; }));
    }
    [[nodiscard]] std::int64_t listItem(std::string_view attribute, std::size_t index) const
    {
        const auto* list = findAttribute<std::vector<std::int64_t>>(m_node, attribute);
        return list && index < list->size() ? (*list)[index] : 0;
    }
    [[nodiscard]] std::int64_t inputAxis(const BodyLink& link) const
    {
        return listItem("scan_input_axes", scanIndex(link));
    }

    [[nodiscard]] Status checkSize() const
    {
        const BodyTraits& traits = bodyTraits(m_graph, m_loop);
        if (traits.sequences || (traits.batched && traits.batched(m_graph, m_node)))
            return error("Gradients pass through it, and this operator is not written out.");
        const std::size_t nodes = std::max<std::size_t>(1, m_graph[m_body].nodes.size() + m_links.size());
        if (static_cast<std::size_t>(m_trips) > MostNodes / nodes)
            return error("Gradients pass through it, and its " + std::to_string(m_trips) +
                         " iterations written out would have more than a million nodes.");
        const bool stacks = std::any_of(m_links.begin(), m_links.end(), [this](const BodyLink& link) {
            return link.kind == Kind::ScanOutput && at(m_node.outputs, link.ownerOutput).valid();
        });
        if (m_trips == 0 && stacks)
            return error("Gradients pass through it, and it has no iteration: there is nothing to stack.");
        return {};
    }

    /// What is the same in every iteration stands in front of the first one.
    void hoistConstants()
    {
        for (Value& value : m_graph.values) {
            const bool constant = value.role == ValueRole::Constant || value.role == ValueRole::Parameter;
            if (value.body == m_body && constant) value.body = TopBody;
        }
        for (const NodeId id : m_graph[m_body].nodes) {
            if (!m_graph[id].ahead) continue;
            m_graph[id].body = TopBody;
            for (const ValueId output : m_graph[id].outputs)
                if (output.valid()) m_graph[output].body = TopBody;
            m_order.push_back(id);
        }
    }

    void begin()
    {
        for (const BodyLink& link : m_links) {
            m_state.push_back(link.kind == Kind::Carried ? at(m_node.inputs, link.ownerInput) : ValueId());
            m_stacked.emplace_back();
        }
    }

    void copyIteration(std::int64_t iteration)
    {
        NodeCopier copier(m_graph, m_names, "@" + std::to_string(iteration));
        handIn(copier, iteration);
        if (iteration + 1 == m_trips) landInResults(copier);
        for (const NodeId id : std::vector<NodeId>(m_graph[m_body].nodes)) {
            if (!m_graph[id].ahead) m_order.push_back(copier.copy(id, TopBody));
        }
        handBack(copier, iteration);
    }

    void handIn(NodeCopier& copier, std::int64_t iteration)
    {
        for (std::size_t i = 0; i < m_links.size(); ++i) {
            const BodyLink& link = m_links[i];
            const ValueId inner = at(m_graph[m_body].inputs, link.bodyInput);
            if (!inner.valid()) continue;
            if (link.kind == Kind::Iteration) copier.map(inner, number(iteration, DType::Int64));
            if (link.kind == Kind::Condition) copier.map(inner, number(1, DType::Bool));
            if (link.kind == Kind::Carried) copier.map(inner, m_state[i]);
            if (link.kind == Kind::ScanInput) copier.map(inner, slice(link, inner, iteration, copier));
        }
    }

    /// Of the last iteration, what the body computes for a result is that result.
    void landInResults(NodeCopier& copier)
    {
        std::set<ValueId> seen;
        for (const BodyLink& link : m_links) {
            const ValueId made = at(m_graph[m_body].outputs, link.bodyOutput);
            const ValueId result = at(m_node.outputs, link.ownerOutput);
            if (link.kind != Kind::Carried || !made.valid() || !isMade(made)) continue;
            if (seen.insert(made).second && result.valid()) copier.map(made, result);
        }
    }

    /// Whether a node of the body computes it in every iteration.
    [[nodiscard]] bool isMade(ValueId value) const
    {
        const NodeId producer = m_graph[value].producer;
        return producer.valid() && m_graph[producer].body == m_body && !m_graph[producer].ahead;
    }

    void handBack(NodeCopier& copier, std::int64_t iteration)
    {
        std::set<ValueId> seen;
        for (std::size_t i = 0; i < m_links.size(); ++i) {
            const BodyLink& link = m_links[i];
            const ValueId made = at(m_graph[m_body].outputs, link.bodyOutput);
            if (!made.valid()) continue;
            if (link.kind == Kind::ScanOutput && at(m_node.outputs, link.ownerOutput).valid())
                m_stacked[i].push_back(row(link, copier.mapped(made), copier));
            if (link.kind != Kind::Carried) continue;
            const bool own = isMade(made) && seen.insert(made).second;
            const bool last = iteration + 1 == m_trips;
            const ValueId result = last ? at(m_node.outputs, link.ownerOutput) : ValueId();
            m_state[i] = own ? copier.mapped(made) : copy(copier.mapped(made), result, copier);
        }
    }

    /// Without an iteration the results are what the states begin as, in bytes of their own.
    void copyStates()
    {
        NodeCopier copier(m_graph, m_names, "@0");
        for (std::size_t i = 0; i < m_links.size(); ++i) {
            const ValueId result = at(m_node.outputs, m_links[i].ownerOutput);
            if (m_links[i].kind == Kind::Carried && result.valid() && m_state[i].valid())
                m_state[i] = copy(m_state[i], result, copier);
        }
    }

    ValueId add(Node node, ValueId output, const TensorType& type, NodeCopier& copier)
    {
        const NodeId id(m_graph.nodes.size());
        if (!output.valid()) {
            Value value;
            value.name = m_names.forValue(node.name + copier.suffix());
            value.type = type;
            output = ValueId(m_graph.values.size());
            m_graph.values.push_back(std::move(value));
        }
        m_graph[output].producer = id;
        m_graph[output].producerOutput = 0;
        node.name = m_names.forNode(node.name + copier.suffix());
        node.outputs = {output};
        node.origin = {"plimsoll", node.op, "unrolled"};
        node.source = m_node.source;
        m_graph.nodes.push_back(std::move(node));
        m_order.push_back(id);
        return output;
    }

    /// A state in bytes of its own; as \p result where that is valid.
    ValueId copy(ValueId state, ValueId result, NodeCopier& copier)
    {
        Node node;
        node.op = "Identity";
        node.name = m_node.name + "/state";
        node.inputs = {state};
        node.declaredTraits.emplace();
        return add(std::move(node), result, m_graph[state].type, copier);
    }

    ValueId slice(const BodyLink& link, ValueId inner, std::int64_t iteration, NodeCopier& copier)
    {
        const bool backwards = listItem("scan_input_directions", scanIndex(link)) == 1;
        Node node;
        node.op = "Gather";
        node.name = m_node.name + "/slice";
        node.inputs = {at(m_node.inputs, link.ownerInput),
                       number(backwards ? m_trips - 1 - iteration : iteration, DType::Int64)};
        node.attributes["axis"] = inputAxis(link);
        return add(std::move(node), {}, m_graph[inner].type, copier);
    }

    /// The value with an axis of one in front of it, or wherever it is stacked.
    ValueId row(const BodyLink& link, ValueId value, NodeCopier& copier)
    {
        Shape shape = m_graph[value].type.shape().value_or(Shape {});
        const auto axis = normalAxis(listItem("scan_output_axes", scanIndex(link)), shape.size() + 1);
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis.value_or(0)), 1);
        Node node;
        node.op = "Reshape";
        node.name = m_node.name + "/row";
        node.inputs = {value, shapeConstant(shape)};
        return add(std::move(node), {}, TensorType::dense(m_graph[value].type.dtype, shape), copier);
    }

    void stack()
    {
        NodeCopier copier(m_graph, m_names, "");
        for (std::size_t i = 0; i < m_links.size(); ++i) {
            const ValueId result = at(m_node.outputs, m_links[i].ownerOutput);
            if (m_stacked[i].empty() || !result.valid()) continue;
            const std::size_t scan = scanIndex(m_links[i]);
            if (listItem("scan_output_directions", scan) == 1) std::reverse(m_stacked[i].begin(), m_stacked[i].end());
            Node node;
            node.op = "Concat";
            node.name = m_node.name + "/stack";
            node.inputs = m_stacked[i];
            node.attributes["axis"] = listItem("scan_output_axes", scan);
            add(std::move(node), result, m_graph[result].type, copier);
        }
    }

    ValueId constant(const std::string& name, PartialTensor known)
    {
        Value value;
        value.name = m_names.forValue(m_node.name + name);
        value.type = TensorType::dense(known.dtype, known.shape);
        value.role = ValueRole::Constant;
        known.tracked = true;
        value.data = writeElements(known);
        m_graph.values.push_back(std::move(value));
        return ValueId(m_graph.values.size() - 1);
    }

    /// Iteration numbers and the condition; each once.
    ValueId number(std::int64_t number, DType dtype)
    {
        const auto [found, isNew] = m_numbers.try_emplace({dtype, number});
        if (!isNew) return found->second;
        PartialTensor known;
        known.dtype = dtype;
        known.elements = {Scalar::ofInteger(number)};
        return found->second = constant(dtype == DType::Bool ? "/true" : "/trip", std::move(known));
    }

    ValueId shapeConstant(const Shape& shape)
    {
        const auto [found, isNew] = m_shapes.try_emplace(shape);
        if (!isNew) return found->second;
        PartialTensor known;
        known.dtype = DType::Int64;
        known.shape = {static_cast<std::int64_t>(shape.size())};
        for (const std::int64_t size : shape)
            known.elements.push_back(Scalar::ofInteger(size));
        return found->second = constant("/shape", std::move(known));
    }

    /// The loop and what is in it run no more and have nothing to do with anybody.
    void replaceLoop()
    {
        std::vector<NodeId>& order = m_graph[TopBody].nodes;
        const auto place = order.erase(std::find(order.begin(), order.end(), m_loop));
        order.insert(place, m_order.begin(), m_order.end());
        retire(m_loop);
    }

    void retire(NodeId id)
    {
        m_graph[id].ahead = true;
        m_graph[id].inputs.clear();
        m_graph[id].outputs.clear();
        for (const BodyId body : m_graph[id].bodies) {
            for (Value& value : m_graph.values) {
                if (value.body != body) continue;
                value.role = ValueRole::Intermediate;
                value.producer = id;
            }
            for (const NodeId inner : m_graph[body].nodes)
                if (m_graph[inner].body == body) retire(inner);
            m_graph[body].inputs.clear();
            m_graph[body].outputs.clear();
            m_graph[body].nodes.clear();
        }
    }

    Graph& m_graph;
    FreeNames& m_names;
    NodeId m_loop;
    const Node m_node; ///< As it was.
    BodyId m_body;
    std::vector<BodyLink> m_links;
    std::int64_t m_trips = 0;
    std::vector<NodeId> m_order;                 ///< What stands in the place of the loop.
    std::vector<ValueId> m_state;                ///< By link: of those that are carried, the latest.
    std::vector<std::vector<ValueId>> m_stacked; ///< By link: of those that are stacked, the rows.
    std::map<std::pair<DType, std::int64_t>, ValueId> m_numbers;
    std::map<Shape, ValueId> m_shapes;
};

/// Marks all that the body and those nested in it read and hand out.
void needInside(const Graph& graph, BodyId body, std::vector<bool>& needed)
{
    const auto need = [&](ValueId value) {
        if (value.valid()) needed[value.index()] = true;
    };
    std::for_each(graph[body].outputs.begin(), graph[body].outputs.end(), need);
    for (const NodeId node : graph[body].nodes) {
        std::for_each(graph[node].inputs.begin(), graph[node].inputs.end(), need);
        for (const BodyId inner : graph[node].bodies)
            needInside(graph, inner, needed);
    }
}

/// By ValueId: whether the loss depends on it, in whatever way.
std::vector<bool> findNeeded(const Graph& graph)
{
    std::vector<bool> needed(graph.values.size(), false);
    needed[graph.loss.index()] = true;
    const std::vector<NodeId>& order = graph.top().nodes;
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        const auto& outputs = graph[*id].outputs;
        const bool wanted = std::any_of(outputs.begin(), outputs.end(),
                                        [&](ValueId output) { return output.valid() && needed[output.index()]; });
        if (!wanted) continue;
        for (const BodyId body : graph[*id].bodies)
            needInside(graph, body, needed);
        for (const ValueId input : graph[*id].inputs)
            if (input.valid()) needed[input.index()] = true;
    }
    return needed;
}

/// The first loop through which a gradient passes; invalid where there is none.
NodeId findLoop(const Graph& graph, const DerivativeSet& derivatives)
{
    const auto isLoop = [&](NodeId id) {
        return !graph[id].ahead && !graph[id].bodies.empty() && bodyRule(graph, id) == BodyRule::Loop &&
               !derivatives.find(graph, id);
    };
    const std::vector<NodeId>& order = graph.top().nodes;
    if (std::none_of(order.begin(), order.end(), isLoop)) return {};
    const Reach reach(graph, derivatives);
    const std::vector<bool> needed = findNeeded(graph);
    for (const NodeId id : order) {
        const auto passes = [&](ValueId output) {
            return output.valid() && needed[output.index()] && reach.requiresGrad[output.index()];
        };
        if (isLoop(id) && std::any_of(graph[id].outputs.begin(), graph[id].outputs.end(), passes)) return id;
    }
    return {};
}

} // namespace

Result<Graph> unrollLoops(Graph graph, const DerivativeSet& derivatives, const DecisionLog& log)
{
    if (!graph.loss.valid()) return graph;
    FreeNames names(graph);
    for (NodeId loop = findLoop(graph, derivatives); loop.valid(); loop = findLoop(graph, derivatives)) {
        const std::string name = graph[loop].name;
        Unroller unroller(graph, names, loop);
        PLIMSOLL_TRY(unroller.run());
        if (!log.recording()) continue;
        log.add({DecisionKind::Unroll,
                 name,
                 {},
                 true,
                 "gradients",
                 "Gradients pass through '" + name + "': its " + std::to_string(unroller.trips()) +
                     " iterations are written out, so that every state has bytes of its own.",
                 0});
    }
    return graph;
}

} // namespace plimsoll
