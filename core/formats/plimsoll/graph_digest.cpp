#include "core/formats/read_graph.h"

#include "core/base/fnv_digest.h"
#include "core/formats/files/tensor_data.h"

#include <algorithm>

namespace plimsoll {
namespace {

class GraphDigest
{
public:
    explicit GraphDigest(const Graph& graph) : m_graph(graph) {}

    std::string run()
    {
        for (const auto& [domain, version] : m_graph.opsets) {
            m_digest.add(domain);
            m_digest.add(version);
        }
        addSources();
        body(TopBody);
        addName(m_graph.loss);
        return m_digest.hex();
    }

private:
    void addName(ValueId id) { m_digest.add(id.valid() ? std::string_view(m_graph[id].name) : std::string_view()); }

    /// Parameters and constants, by name: where a file lists them says nothing.
    void addSources()
    {
        std::vector<const Value*> sources;
        for (const Value& value : m_graph.values) {
            if (value.role == ValueRole::Parameter || value.role == ValueRole::Constant) sources.push_back(&value);
        }
        std::sort(sources.begin(), sources.end(), [](const Value* a, const Value* b) { return a->name < b->name; });
        for (const Value* value : sources) {
            m_digest.add(value->name);
            m_digest.add(static_cast<std::int64_t>(value->role));
            m_digest.add(describe(value->type));
        }
    }

    void body(BodyId id)
    {
        const Body& body = m_graph[id];
        m_digest.add(body.name);
        for (const auto* list : {&body.inputs, &body.outputs}) {
            m_digest.add(static_cast<std::int64_t>(list->size()));
            for (const ValueId value : *list)
                addName(value);
        }
        for (const ValueId input : body.inputs)
            m_digest.add(describe(m_graph[input].type));
        m_digest.add(static_cast<std::int64_t>(body.nodes.size()));
        for (const NodeId node : body.nodes)
            addNode(m_graph[node]);
    }

    void addNode(const Node& node)
    {
        for (const std::string* text : {&node.name, &*node.op, &*node.domain, &node.at->device})
            m_digest.add(*text);
        for (const auto* list : {&node.inputs, &node.outputs}) {
            m_digest.add(static_cast<std::int64_t>(list->size()));
            for (const ValueId value : *list)
                addName(value);
        }
        m_digest.add(static_cast<std::int64_t>(node.attributes.size()));
        for (const auto& [name, attribute] : node.attributes) {
            m_digest.add(name);
            m_digest.add(static_cast<std::int64_t>(attribute.index()));
            std::visit([&](const auto& a) { add(a); }, attribute);
        }
        std::vector<BodyId> bodies = node.bodies;
        std::sort(bodies.begin(), bodies.end(), [&](BodyId a, BodyId b) { return m_graph[a].name < m_graph[b].name; });
        m_digest.add(static_cast<std::int64_t>(bodies.size()));
        for (const BodyId inner : bodies)
            body(inner);
    }

    void add(std::int64_t number) { m_digest.add(number); }
    void add(double number) { m_digest.add(number); }
    void add(const std::string& text) { m_digest.add(text); }
    void add(const TensorLiteral& literal)
    {
        m_digest.add(static_cast<std::int64_t>(literal.dtype));
        m_digest.add(describe(literal.shape));
        const auto& bytes = literal.data.bytes;
        if (bytes && bytes->size() <= InlineBytes)
            m_digest.add(std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
    }
    template <typename Element>
    void add(const std::vector<Element>& list)
    {
        m_digest.add(static_cast<std::int64_t>(list.size()));
        for (const Element& element : list)
            add(element);
    }

    const Graph& m_graph;
    Digest m_digest;
};

} // namespace

std::string graphDigest(const Graph& graph)
{
    return GraphDigest(graph).run();
}

} // namespace plimsoll
