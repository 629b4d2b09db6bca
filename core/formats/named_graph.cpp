#include "core/formats/named_graph.h"
#include "core/formats/bad_input.h"

#include "core/base/heap.h"
#include "core/base/numbered_names.h"
#include "core/graph/graph_builder.h"
#include "core/graph/validate.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace plimsoll {
namespace {

std::string element(const std::string& place, const char* list, std::size_t index)
{
    return (place.empty() ? "" : place + ".") + list + "[" + std::to_string(index) + "]";
}

/// A node input whose name was not known yet when the node was added: the file lists nodes in another order, or the
/// name does not exist.
struct ForwardRead
{
    NodeId node;
    std::size_t input = 0;
    std::string name;
    std::string place;
};

/// Where nodes without inputs (constants) compute one name several times, the last one is meant: puts it where the
/// first stands, so that the others are the unread ones. Tools that edit models leave such files behind.
void preferLastSource(std::deque<NamedNode>& nodes, std::vector<Message>& notes)
{
    std::set<std::string> repeated;
    std::unordered_map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool source = nodes[i].inputs.empty() && nodes[i].bodies.empty() && nodes[i].outputs.size() == 1;
        if (!source) continue;
        const auto [place, isNew] = first.emplace(nodes[i].outputs.front(), i);
        if (isNew) continue;
        std::swap(nodes[place->second], nodes[i]);
        repeated.insert(place->first);
    }
    if (repeated.empty()) return;
    constexpr std::size_t Most = 3;
    const std::vector<std::string> names(repeated.begin(), repeated.end());
    word::List shown = namesOf(names, Most);
    const std::size_t more = std::exchange(shown.more, 0);
    notes.push_back(more == 0 ? say("note.repeated-constants", std::move(shown), names.size())
                              : say("note.repeated-constants-more", std::move(shown), more));
}

void decorate(Value& value, const NamedValue& named)
{
    value.requiresGrad = named.requiresGrad;
    value.gradientRequest = named.gradientRequest;
    value.visible = named.visible;
    LiesAt at = *named.at;
    at.strides = value.at->strides;
    value.at = std::move(at);
    value.extra = named.extra;
}

Status addSources(NamedGraph& named, GraphBuilder& builder)
{
    std::unordered_set<std::string_view> parameters;
    for (const NamedValue& parameter : named.parameters)
        parameters.insert(parameter.name);
    for (const auto* list : {&named.inputs, &named.parameters, &named.constants}) {
        const bool unnamed = std::any_of(list->begin(), list->end(), [](const auto& v) { return v.name.empty(); });
        if (unnamed) return badInput(say("graph.unnamed"), named.place);
    }
    for (; !named.inputs.empty(); named.inputs.pop_front()) {
        NamedValue& input = named.inputs.front();
        if (!parameters.contains(input.name))
            decorate(builder.graph()[builder.addInput(input.name, std::move(input.type))], input);
    }
    for (; !named.parameters.empty(); named.parameters.pop_front()) {
        NamedValue& p = named.parameters.front();
        decorate(builder.graph()[builder.addParameter(p.name, std::move(p.type), *p.data)], p);
    }
    for (; !named.constants.empty(); named.constants.pop_front()) {
        NamedValue& c = named.constants.front();
        decorate(builder.graph()[builder.addConstant(c.name, std::move(c.type), *c.data)], c);
    }
    return {};
}

/// The names that two nodes of one body compute. Which one a reader means cannot be told.
using Redefined = std::unordered_set<std::string>;

Status checkStrides(const Value& value, const std::string& place)
{
    const std::size_t dims = value.type.dims ? value.type.dims->size() : value.at->strides.size();
    if (value.at->strides.empty() || value.at->strides.size() == dims) return {};
    return badInput(say("graph.strides", word::Name {value.name}, value.at->strides.size(), word::Number(dims)), place);
}

/// A new version lies as what it is a version of.
void layOut(Graph& graph, NodeId id, const NamedNode& named)
{
    for (const auto& [output, strides] : *named.strides) {
        if (const ValueId value = valueAt(graph[id].outputs, output); value.valid())
            graph[value].at.edit().strides = strides;
    }
    for (const AliasTrait& trait : graph[id].declared->traits.value_or(std::vector<AliasTrait>())) {
        const ValueId from = valueAt(graph[id].inputs, trait.input);
        const ValueId to = valueAt(graph[id].outputs, trait.output);
        const bool version = trait.kind == AliasKind::Mutates && from.valid() && to.valid();
        if (version && graph[to].at->strides.empty() && !graph[from].at->strides.empty())
            graph[to].at.edit().strides = graph[from].at->strides;
    }
}

/// So many of a file that are gone have left whole pages behind.
constexpr std::size_t NodesOfManyPages = 20'000;

class Assembler
{
public:
    explicit Assembler(const AssembleRequest& request)
        : m_request(request), m_room(request.room), m_builder(request.name)
    {
    }

    Result<Graph> run(NamedGraph& named)
    {
        std::size_t values = named.inputs.size() + named.parameters.size() + named.constants.size();
        for (const NamedNode& node : named.nodes)
            values += node.outputs.size();
        m_builder.reserve(named.nodes.size(), values);
        std::vector<ForwardRead> unresolved;
        PLIMSOLL_TRY(body(named, TopBody, 0, unresolved));
        if (!unresolved.empty()) {
            const ForwardRead& read = unresolved.front();
            return badInput(say("graph.unknown-name", word::Name {read.name}),
                            element(read.place, "inputs", read.input));
        }
        if (!m_request.loss.empty()) {
            m_builder.graph().loss = m_builder.find(m_request.loss);
            if (!m_builder.graph().loss.valid())
                return badInput(say("graph.no-loss", word::Name {m_request.loss}), "loss");
        }
        if (m_outOfOrder) {
            PLIMSOLL_TRY(sortTopologically(m_builder.graph()));
            m_builder.graph().notes.push_back(say("note.out-of-order", m_early.place, word::Name {m_early.name}));
        }
        return std::move(m_builder).build();
    }

private:
    /// \p path: how long it is. \p unresolved gets the reads that this body and those inside it could not settle.
    Status body(NamedGraph& named, BodyId here, std::size_t path, std::vector<ForwardRead>& unresolved)
    {
        m_room.take(path * (named.inputs.size() + named.parameters.size() + named.constants.size()));
        if (m_room.isFull()) return badInput(ReadingRoom::refusal(), named.place);
        if (m_request.lenient) preferLastSource(named.nodes, m_builder.graph().notes);
        PLIMSOLL_TRY(addSources(named, m_builder));
        m_open.push_back({here, path, {}});
        std::vector<ForwardRead> forward;
        for (std::size_t added = 0; !named.nodes.empty(); named.nodes.pop_front()) {
            PLIMSOLL_TRY(addNode(named.nodes.front(), forward));
            if (++added % NodesOfManyPages == 0) giveBackPages();
        }
        for (std::size_t i = 0; !named.values.empty(); ++i, named.values.pop_front()) {
            NamedValue& said = named.values.front();
            const ValueId id = m_builder.find(said.name);
            if (!id.valid() && !m_request.lenient)
                return badInput(say("graph.no-value", word::Name {said.name}), element(named.place, "values", i));
            if (!id.valid() || m_builder.graph()[id].role != ValueRole::Intermediate) continue;
            Value& value = m_builder.graph()[id];
            value.type = std::move(said.type);
            decorate(value, said);
            PLIMSOLL_TRY(checkStrides(value, element(named.place, "values", i)));
        }
        PLIMSOLL_TRY(settle(forward, unresolved));
        for (std::size_t i = 0; i < named.outputs.size(); ++i) {
            const std::string where = element(named.place, "outputs", i);
            PLIMSOLL_ASSIGN(value, meaning(named.outputs[i], where));
            if (!value.valid()) return badInput(say("graph.no-output", word::Name {named.outputs[i]}), where);
            m_builder.addOutput(value);
        }
        m_open.pop_back();
        return {};
    }

    Status addNode(NamedNode& named, std::vector<ForwardRead>& forward)
    {
        ValueIds inputs;
        std::vector<std::size_t> unknown;
        for (std::size_t i = 0; i < named.inputs.size(); ++i) {
            PLIMSOLL_ASSIGN(value, meaning(named.inputs[i], element(named.place, "inputs", i)));
            if (!value.valid() && !named.inputs[i].empty()) unknown.push_back(i);
            inputs.push_back(value);
        }
        const std::size_t path = m_open.back().path;
        m_room.take(path * (1 + named.outputs.size()));
        if (m_room.isFull()) return badInput(ReadingRoom::refusal(), named.place);
        const NodeId id = m_builder.addNode(std::move(named.node), std::move(inputs), ownNames(named.outputs));
        layOut(m_builder.graph(), id, named);
        for (const std::size_t i : unknown)
            forward.push_back({id, i, named.inputs[i], named.place});
        for (NamedBody& inner : named.bodies) {
            const BodyId opened = m_builder.openBody(id, inner.name);
            const std::size_t own = m_builder.graph()[id].name.size() + inner.name.size() + 2; // with the path above it
            PLIMSOLL_TRY(body(inner.graph, opened, own, forward));
            m_builder.closeBody();
        }
        return {};
    }

    /// Looks the names up again, now that every node of this body is there; the rest is left to the body around it.
    Status settle(std::vector<ForwardRead>& forward, std::vector<ForwardRead>& unresolved)
    {
        for (ForwardRead& read : forward) {
            PLIMSOLL_ASSIGN(value, meaning(read.name, element(read.place, "inputs", read.input)));
            if (!value.valid()) {
                unresolved.push_back(std::move(read));
                continue;
            }
            m_builder.graph()[read.node].inputs[read.input] = value;
            if (!m_outOfOrder) m_early = read;
            m_outOfOrder = true;
        }
        return {};
    }

    /// The value that \p name means here; invalid for an absent input and for a name that is not there (yet).
    Result<ValueId> meaning(const std::string& name, const std::string& reader) const
    {
        if (name.empty()) return ValueId();
        for (const OpenBody& open : m_open) {
            if (open.redefined.contains(name)) return badInput(say("graph.computed-twice", word::Name {name}), reader);
        }
        return m_builder.find(name);
    }

    /// \p names, with another name for each that a node of this body computes already.
    std::vector<std::string> ownNames(std::vector<std::string> names)
    {
        if (!m_request.lenient) return names;
        OpenBody& open = m_open.back();
        for (std::string& name : names) {
            const ValueId earlier = name.empty() ? ValueId() : m_builder.find(name);
            if (!earlier.valid()) continue;
            const Value& value = m_builder.graph()[earlier];
            if (value.body != open.body || !value.producer.valid()) continue;
            open.redefined.insert(name);
            name = open.names.name(name, [this](const std::string& free) { return !m_builder.find(free).valid(); });
        }
        return names;
    }

    struct OpenBody
    {
        BodyId body;
        std::size_t path = 0; ///< Letters in front of each name.
        Redefined redefined;
        NumberedNames names {};
    };
    const AssembleRequest& m_request;
    ReadingRoom m_room;
    GraphBuilder m_builder;
    std::vector<OpenBody> m_open; ///< The top first.
    bool m_outOfOrder = false;
    ForwardRead m_early; ///< The first that makes it so.
};

} // namespace

Result<Graph> assemble(NamedGraph named, const AssembleRequest& request)
{
    return Assembler(request).run(named);
}

} // namespace plimsoll
