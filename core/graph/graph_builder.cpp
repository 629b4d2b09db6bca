#include "core/graph/graph_builder.h"

#include "core/base/narrow.h"
#include "core/graph/validate.h"

#include <algorithm>

namespace plimsoll {
namespace {

auto nodeNames(const Graph& graph)
{
    return [&graph](std::size_t node) -> std::string_view { return graph.nodes[node].name; };
}

/// In a scope, without its path.
auto valueNames(const Graph& graph, const std::string& path)
{
    return [&graph, skip = path.size()](std::size_t value) {
        return std::string_view(graph.values[value].name).substr(skip);
    };
}

} // namespace

GraphBuilder::GraphBuilder(std::string name)
{
    m_graph.name = std::move(name);
    m_scopes.push_back({TopBody, {}, {}});
}

void GraphBuilder::reserve(std::size_t nodes, std::size_t values)
{
    m_graph.nodes.reserve(nodes);
    m_graph.values.reserve(values);
    m_graph.bodies.front().nodes.reserve(nodes);
    m_nodeNames.reserve(nodes);
    m_scopes.front().names.reserve(values);
}

ValueId GraphBuilder::addInput(std::string_view name, TensorType type)
{
    const bool nested = m_scopes.size() > 1;
    const ValueId id = addValue(name, std::move(type), nested ? ValueRole::BodyInput : ValueRole::Input);
    m_graph[m_scopes.back().body].inputs.push_back(id);
    return id;
}

ValueId GraphBuilder::addParameter(std::string_view name, TensorType type, TensorData data)
{
    const ValueId id = addValue(name, std::move(type), ValueRole::Parameter);
    m_graph[id].data = std::move(data);
    return id;
}

ValueId GraphBuilder::addConstant(std::string_view name, TensorType type, TensorData data)
{
    const ValueId id = addValue(name, std::move(type), ValueRole::Constant);
    m_graph[id].data = std::move(data);
    return id;
}

NodeId GraphBuilder::addNode(Node node, ValueIds inputs, const std::vector<std::string>& outputs)
{
    const NodeId id(m_graph.nodes.size());
    const Scope& scope = m_scopes.back();
    const bool given = !node.name.empty();
    if (!given) node.name = node.op + "_" + std::to_string(id.number());
    node.name = scope.path + node.name;
    enter(node.name, given);
    shareWords(node);
    node.body = scope.body;
    node.inputs = std::move(inputs);
    m_graph[scope.body].nodes.push_back(id);
    m_graph.nodes.push_back(std::move(node));
    m_graph[id].outputs.reserve(outputs.size());
    for (const std::string& name : outputs) {
        ValueId value;
        if (!name.empty()) {
            value = addValue(name, {}, ValueRole::Intermediate);
            m_graph[value].producer = id;
            m_graph[value].producerOutput = narrow<int>(m_graph[id].outputs.size());
        }
        m_graph[id].outputs.push_back(value);
    }
    return id;
}

/// What many nodes have in common is in memory once.
void GraphBuilder::shareWords(Node& node)
{
    const auto share = [this](SharedText& word) { word = *m_words.insert(word).first; };
    share(node.op);
    share(node.domain);
    if (node.from == Rare<Provenance>()) return;
    Origin& origin = node.from.edit().origin;
    share(origin.dialect);
    share(origin.op);
    share(origin.overload);
    if (node.from->source.empty() && node.from->module.empty() && node.from->extra.empty())
        node.from = m_origins.try_emplace(origin, node.from).first->second;
}

void GraphBuilder::addOutput(ValueId value)
{
    m_graph[m_scopes.back().body].outputs.push_back(value);
}

BodyId GraphBuilder::openBody(NodeId owner, std::string_view name)
{
    const BodyId body(m_graph.bodies.size());
    m_graph.bodies.push_back(Body {.name = std::string(name), .owner = owner});
    m_graph[owner].bodies.push_back(body);
    m_scopes.push_back({body, m_graph[owner].name + "/" + std::string(name) + "/", {}});
    return body;
}

void GraphBuilder::closeBody()
{
    m_scopes.pop_back();
}

ValueId GraphBuilder::find(std::string_view name) const
{
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        if (const auto found = scope->names.find(name, valueNames(m_graph, scope->path))) return ValueId(*found);
    }
    return {};
}

ValueId GraphBuilder::output(NodeId node, std::size_t index) const
{
    return m_graph[node].outputs.at(index);
}

Result<Graph> GraphBuilder::build() &&
{
    if (m_error) return *m_error;
    noteRepeated();
    PLIMSOLL_TRY(validate(m_graph));
    return std::move(m_graph);
}

ValueId GraphBuilder::addValue(std::string_view name, TensorType type, ValueRole role)
{
    Scope& scope = m_scopes.back();
    const ValueId id(m_graph.values.size());
    if (!scope.names.add(name, id.index(), valueNames(m_graph, scope.path)) && !m_error) {
        m_error = Error {ErrorCode::BadInput,
                         say("graph.defined-twice", word::Name {std::string(name)}),
                         "value '" + scope.path + std::string(name) + "'",
                         {}};
    }
    Value value;
    value.name = scope.path + std::string(name);
    value.type = std::move(type);
    value.role = role;
    value.body = scope.body;
    m_graph.values.push_back(std::move(value));
    return id;
}

/// Names of nodes are labels: files repeat them.
void GraphBuilder::enter(std::string& name, bool given)
{
    std::string free = m_numbers.name(
        name, [&](const std::string& one) { return m_nodeNames.add(one, m_graph.nodes.size(), nodeNames(m_graph)); });
    if (given && free != name) m_repeated.emplace_back(name, free);
    name = std::move(free);
}

void GraphBuilder::noteRepeated()
{
    if (m_repeated.empty()) return;
    const auto renamed = [](const auto& names) {
        return say("note.renamed", word::Name {names.first}, word::Name {names.second});
    };
    const word::List first = listOf(m_repeated, renamed);
    m_graph.notes.push_back(first.more > 0 ? say("note.repeated-more", word::List {first.items}, first.more)
                                           : say("note.repeated", first));
}

} // namespace plimsoll
