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
    PartialTensor known = readElements(value.type.dtype, value.type.shape().value_or(Shape {}), *value.data);
    return known.complete() && !known.elements.empty() ? std::optional(std::move(known)) : std::nullopt;
}

bool isTrue(const Graph& graph, ValueId id)
{
    const auto known = knownElements(graph, id);
    return known && known->elements.front()->integer != 0;
}

/// A loop of the graph itself, as it was before anything was written.
struct Loop
{
    Loop(const Graph& graph, NodeId loop)
        : id(loop), node(graph[loop]), body(graph[loop].bodies.front()), links(bodyLinks(graph, loop, body))
    {
    }

    /// Of a scan input or output: what the list says at its position among those of its kind.
    [[nodiscard]] std::int64_t scanItem(std::string_view attribute, const BodyLink& link) const
    {
        const auto* list = findAttribute<std::vector<std::int64_t>>(node, attribute);
        const auto index = static_cast<std::size_t>(
            std::count_if(links.data(), &link, [&](const BodyLink& other) { return other.kind == link.kind; }));
        return list && index < list->size() ? (*list)[index] : 0;
    }

    NodeId id;
    Node node;
    BodyId body;
    std::vector<BodyLink> links;
};

Error error(const Graph& graph, const Loop& loop, Message message)
{
    return {ErrorCode::BadInput, std::move(message), "node '" + loop.node.name + "' (" + qualifiedOp(loop.node) + ")",
            graph.file.path.string()};
}

Error unknownCount(const Graph& graph, const Loop& loop)
{
    return error(graph, loop, say("unroll.unknown-count"));
}

/// The condition begins as true, and the body hands on what it was given, or a constant.
bool alwaysGoesOn(const Graph& graph, const Loop& loop, const BodyLink& link)
{
    const ValueId first = valueAt(loop.node.inputs, link.ownerInput);
    const ValueId given = valueAt(graph[loop.body].inputs, link.bodyInput);
    ValueId next = valueAt(graph[loop.body].outputs, link.bodyOutput);
    while (next.valid() && graph[next].producer.valid() && !isTrue(graph, next)) {
        const NodeId maker = graph[next].producer;
        const auto traits = aliasTraits(graph, maker);
        const auto copies = std::ranges::find_if(traits, [&](const AliasTrait& trait) {
            return trait.kind == AliasKind::Identity && valueAt(graph[maker].outputs, trait.output) == next;
        });
        next = copies == traits.end() ? ValueId() : valueAt(graph[maker].inputs, copies->input);
    }
    return (!first.valid() || isTrue(graph, first)) && next.valid() && (next == given || isTrue(graph, next));
}

Result<std::int64_t> countTrips(const Graph& graph, const Loop& loop)
{
    std::optional<std::int64_t> trips;
    for (const BodyLink& link : loop.links) {
        const ValueId outer = valueAt(loop.node.inputs, link.ownerInput);
        if (link.kind == Kind::Condition && !alwaysGoesOn(graph, loop, link)) return unknownCount(graph, loop);
        if (link.kind == Kind::Iteration) {
            const auto known = knownElements(graph, outer);
            if (known) trips = std::max<std::int64_t>(0, known->elements.front()->integer);
        }
        if (link.kind != Kind::ScanInput || !outer.valid()) continue;
        const auto shape = graph[outer].type.kind == TypeKind::Tensor ? graph[outer].type.shape() : std::nullopt;
        const auto axis = shape ? normalAxis(loop.scanItem("scan_input_axes", link), shape->size()) : std::nullopt;
        trips = axis ? std::optional((*shape)[*axis]) : std::nullopt;
    }
    if (!trips) return unknownCount(graph, loop);
    return *trips;
}

Status checkSize(const Graph& graph, const Loop& loop, std::int64_t trips)
{
    const BodyTraits& traits = bodyTraits(graph, loop.id);
    if (traits.sequences || (traits.batched && traits.batched(graph, loop.node)))
        return error(graph, loop, say("unroll.operator"));
    const std::size_t nodes = std::max<std::size_t>(1, graph[loop.body].nodes.size() + loop.links.size());
    if (static_cast<std::size_t>(trips) > MostNodes / nodes)
        return error(graph, loop, say("unroll.too-many", word::Number {trips}));
    const bool stacks = std::ranges::any_of(loop.links, [&loop](const BodyLink& link) {
        return link.kind == Kind::ScanOutput && valueAt(loop.node.outputs, link.ownerOutput).valid();
    });
    if (trips == 0 && stacks) return error(graph, loop, say("unroll.no-iteration"));
    return {};
}

/// What is the same in every iteration stands in front of the first one.
std::vector<NodeId> hoistConstants(Graph& graph, BodyId body)
{
    std::vector<NodeId> hoisted;
    for (Value& value : graph.values) {
        const bool constant = value.role == ValueRole::Constant || value.role == ValueRole::Parameter;
        if (value.body == body && constant) value.body = TopBody;
    }
    for (const NodeId id : graph[body].nodes) {
        if (!graph.decided[id].ahead) continue;
        graph[id].body = TopBody;
        for (const ValueId output : graph[id].outputs)
            if (output.valid()) graph[output].body = TopBody;
        hoisted.push_back(id);
    }
    return hoisted;
}

/// Whether a node of the body computes it in every iteration.
bool isMade(const Graph& graph, BodyId body, ValueId value)
{
    const NodeId producer = graph[value].producer;
    return producer.valid() && graph[producer].body == body && !graph.decided[producer].ahead;
}

void retire(Graph& graph, NodeId id)
{
    graph.decided.at(id).ahead = true;
    graph[id].inputs.clear();
    graph[id].outputs.clear();
    for (const BodyId body : graph[id].bodies) {
        for (Value& value : graph.values) {
            if (value.body != body) continue;
            value.role = ValueRole::Intermediate;
            value.producer = id;
        }
        for (const NodeId inner : graph[body].nodes)
            if (graph[inner].body == body) retire(graph, inner);
        graph[body].inputs.clear();
        graph[body].outputs.clear();
        graph[body].nodes.clear();
    }
}

/// Nodes and constants that take the place of the loop.
class IterationWriter
{
public:
    IterationWriter(Graph& graph, FreeNames& names, const Node& loop) : m_graph(graph), m_names(names), m_loop(loop) {}

    /// As \p output where that is valid, else a new value.
    ValueId add(Node node, ValueId output, const TensorType& type, const std::string& suffix)
    {
        const NodeId id(m_graph.nodes.size());
        if (!output.valid()) {
            Value value;
            value.name = m_names.forValue(node.name + suffix);
            value.type = type;
            output = ValueId(m_graph.values.size());
            m_graph.values.push_back(std::move(value));
        }
        m_graph[output].producer = id;
        m_graph[output].producerOutput = 0;
        node.name = m_names.forNode(node.name + suffix);
        node.outputs = {output};
        node.from.edit().origin = {"plimsoll", node.op, "unrolled"};
        node.from.edit().source = m_loop.from->source;
        node.from.edit().module = m_loop.from->module;
        m_graph.nodes.push_back(std::move(node));
        order.push_back(id);
        return output;
    }

    /// A state in bytes of its own; as \p result where that is valid.
    ValueId copy(ValueId state, ValueId result, const std::string& suffix)
    {
        Node node;
        node.op = "Identity";
        node.name = m_loop.name + "/state";
        node.inputs = {state};
        node.declared.edit().traits.emplace();
        return add(std::move(node), result, m_graph[state].type, suffix);
    }

    ValueId slice(ValueId whole, std::int64_t axis, std::int64_t position, ValueId inner, const std::string& suffix)
    {
        Node node;
        node.op = "Gather";
        node.name = m_loop.name + "/slice";
        node.inputs = {whole, number(position, DType::Int64)};
        node.attributes["axis"] = axis;
        return add(std::move(node), {}, m_graph[inner].type, suffix);
    }

    /// The value with an axis of one in front of it, or wherever it is stacked.
    ValueId row(ValueId value, std::int64_t stackAxis, const std::string& suffix)
    {
        Shape shape = m_graph[value].type.shape().value_or(Shape {});
        const auto axis = normalAxis(stackAxis, shape.size() + 1);
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis.value_or(0)), 1);
        Node node;
        node.op = "Reshape";
        node.name = m_loop.name + "/row";
        const auto [found, isNew] = m_shapes.try_emplace(shape);
        if (isNew) {
            PartialTensor known {DType::Int64, {static_cast<std::int64_t>(shape.size())}, {}, true};
            for (const std::int64_t size : shape)
                known.elements.push_back(Scalar::ofInteger(size));
            found->second = constant("/shape", known);
        }
        node.inputs = {value, found->second};
        return add(std::move(node), {}, TensorType::dense(m_graph[value].type.dtype, shape), suffix);
    }

    /// Iteration numbers and the condition; each once.
    ValueId number(std::int64_t number, DType dtype)
    {
        const auto [found, isNew] = m_numbers.try_emplace({dtype, number});
        if (!isNew) return found->second;
        const PartialTensor known {dtype, {}, {Scalar::ofInteger(number)}, true};
        return found->second = constant(dtype == DType::Bool ? "/true" : "/trip", known);
    }

    std::vector<NodeId> order;

private:
    ValueId constant(const std::string& name, const PartialTensor& known)
    {
        Value value;
        value.name = m_names.forValue(m_loop.name + name);
        value.type = TensorType::dense(known.dtype, known.shape);
        value.role = ValueRole::Constant;
        value.data = writeElements(known);
        m_graph.values.push_back(std::move(value));
        return ValueId(m_graph.values.size() - 1);
    }

    Graph& m_graph;
    FreeNames& m_names;
    const Node& m_loop;
    std::map<std::pair<DType, std::int64_t>, ValueId> m_numbers;
    std::map<Shape, ValueId> m_shapes;
};

/// Writes out so many iterations of a loop.
class Unroller
{
public:
    Unroller(Graph& graph, FreeNames& names, const Loop& loop, std::int64_t trips)
        : m_graph(graph), m_names(names), m_loop(loop), m_trips(trips), m_made(graph, names, loop.node)
    {
        for (const BodyLink& link : loop.links)
            m_state.push_back(link.kind == Kind::Carried ? valueAt(loop.node.inputs, link.ownerInput) : ValueId());
        m_stacked.resize(loop.links.size());
    }

    void run()
    {
        m_made.order = hoistConstants(m_graph, m_loop.body);
        for (std::int64_t iteration = 0; iteration < m_trips; ++iteration)
            copyIteration(iteration);
        for (std::size_t i = 0; m_trips == 0 && i < m_loop.links.size(); ++i) {
            // Without an iteration the results are what the states begin as, in bytes of their own.
            const ValueId result = valueAt(m_loop.node.outputs, m_loop.links[i].ownerOutput);
            if (m_loop.links[i].kind == Kind::Carried && result.valid() && m_state[i].valid())
                m_state[i] = m_made.copy(m_state[i], result, "@0");
        }
        stack();
        std::vector<NodeId>& order = m_graph[TopBody].nodes;
        const auto place = order.erase(std::ranges::find(order, m_loop.id));
        order.insert(place, m_made.order.begin(), m_made.order.end());
        retire(m_graph, m_loop.id);
    }

private:
    void copyIteration(std::int64_t iteration)
    {
        NodeCopier copier(m_graph, m_names, "@" + std::to_string(iteration));
        handIn(copier, iteration);
        const bool last = iteration + 1 == m_trips; // What the body computes for a result is that result then.
        std::set<ValueId> landed;
        for (const BodyLink& link : m_loop.links) {
            const ValueId made = valueAt(m_graph[m_loop.body].outputs, link.bodyOutput);
            const ValueId result = valueAt(m_loop.node.outputs, link.ownerOutput);
            if (!last || link.kind != Kind::Carried || !made.valid() || !isMade(m_graph, m_loop.body, made)) continue;
            if (landed.insert(made).second && result.valid()) copier.map(made, result);
        }
        for (const NodeId id : std::vector<NodeId>(m_graph[m_loop.body].nodes)) {
            if (!m_graph.decided[id].ahead) m_made.order.push_back(copier.copy(id, TopBody));
        }
        handBack(copier, iteration);
    }

    void handIn(NodeCopier& copier, std::int64_t iteration)
    {
        for (std::size_t i = 0; i < m_loop.links.size(); ++i) {
            const BodyLink& link = m_loop.links[i];
            const ValueId inner = valueAt(m_graph[m_loop.body].inputs, link.bodyInput);
            if (!inner.valid()) continue;
            if (link.kind == Kind::Iteration) copier.map(inner, m_made.number(iteration, DType::Int64));
            if (link.kind == Kind::Condition) copier.map(inner, m_made.number(1, DType::Bool));
            if (link.kind == Kind::Carried) copier.map(inner, m_state[i]);
            if (link.kind == Kind::ScanInput) {
                const bool backwards = m_loop.scanItem("scan_input_directions", link) == 1;
                copier.map(inner,
                           m_made.slice(valueAt(m_loop.node.inputs, link.ownerInput),
                                        m_loop.scanItem("scan_input_axes", link),
                                        backwards ? m_trips - 1 - iteration : iteration, inner, copier.suffix()));
            }
        }
    }

    void handBack(NodeCopier& copier, std::int64_t iteration)
    {
        std::set<ValueId> seen;
        for (std::size_t i = 0; i < m_loop.links.size(); ++i) {
            const BodyLink& link = m_loop.links[i];
            const ValueId made = valueAt(m_graph[m_loop.body].outputs, link.bodyOutput);
            if (!made.valid()) continue;
            if (link.kind == Kind::ScanOutput && valueAt(m_loop.node.outputs, link.ownerOutput).valid())
                m_stacked[i].push_back(
                    m_made.row(copier.mapped(made), m_loop.scanItem("scan_output_axes", link), copier.suffix()));
            if (link.kind != Kind::Carried) continue;
            const bool own = isMade(m_graph, m_loop.body, made) && seen.insert(made).second;
            const bool last = iteration + 1 == m_trips;
            const ValueId result = last ? valueAt(m_loop.node.outputs, link.ownerOutput) : ValueId();
            m_state[i] = own ? copier.mapped(made) : m_made.copy(copier.mapped(made), result, copier.suffix());
        }
    }

    void stack()
    {
        for (std::size_t i = 0; i < m_loop.links.size(); ++i) {
            const ValueId result = valueAt(m_loop.node.outputs, m_loop.links[i].ownerOutput);
            if (m_stacked[i].empty() || !result.valid()) continue;
            if (m_loop.scanItem("scan_output_directions", m_loop.links[i]) == 1) std::ranges::reverse(m_stacked[i]);
            Node node;
            node.op = "Concat";
            node.name = m_loop.node.name + "/stack";
            node.inputs = m_stacked[i];
            node.attributes["axis"] = m_loop.scanItem("scan_output_axes", m_loop.links[i]);
            m_made.add(std::move(node), result, m_graph[result].type, "");
        }
    }

    Graph& m_graph;
    FreeNames& m_names;
    const Loop& m_loop;
    std::int64_t m_trips;
    IterationWriter m_made;
    std::vector<ValueId> m_state;    ///< By link: of those that are carried, the latest.
    std::vector<ValueIds> m_stacked; ///< By link: of those that are stacked, the rows.
};

/// Marks all that the body and those nested in it read and return.
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
        const bool wanted =
            std::ranges::any_of(outputs, [&](ValueId output) { return output.valid() && needed[output.index()]; });
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
        return !graph.decided[id].ahead && !graph[id].bodies.empty() && bodyRule(graph, id) == BodyRule::Loop &&
               !derivatives.find(graph, id);
    };
    const std::vector<NodeId>& order = graph.top().nodes;
    if (std::ranges::none_of(order, isLoop)) return {};
    const Reach reach(graph, derivatives);
    const std::vector<bool> needed = findNeeded(graph);
    for (const NodeId id : order) {
        const auto passes = [&](ValueId output) {
            return output.valid() && needed[output.index()] && reach.requiresGrad[output.index()];
        };
        if (isLoop(id) && std::ranges::any_of(graph[id].outputs, passes)) return id;
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
        const Loop parts(graph, loop);
        PLIMSOLL_ASSIGN(trips, countTrips(graph, parts));
        PLIMSOLL_TRY(checkSize(graph, parts, trips));
        Unroller(graph, names, parts, trips).run();
        if (!log.recording()) continue;
        log.add({DecisionKind::Unroll,
                 name,
                 {},
                 true,
                 "gradients",
                 say("unroll", word::Name {name}, word::Number {trips}),
                 0});
    }
    return graph;
}

} // namespace plimsoll
