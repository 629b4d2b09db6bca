#pragma once

#include "core/base/name_index.h"
#include "core/base/numbered_names.h"
#include "core/graph/graph.h"

#include <map>
#include <set>

namespace plimsoll {

/// Assembles a Graph, name by name, in captured order. Readers of formats with names and all tests go through it.
///
///     GraphBuilder builder("seed");
///     const ValueId x = builder.addInput("x", TensorType::dense(DType::Float32, {4}));
///     const NodeId n = builder.addNode({.name = "n0", .op = "Relu"}, {x}, {"y"});
///     builder.addOutput(builder.output(n, 0));
///     Result<Graph> graph = std::move(builder).build();
///
/// Inside a nested body (openBody … closeBody) new names get the body's path in front and look-ups go outwards.
/// Names that clash are an Error from build(), with both places.
class GraphBuilder
{
public:
    explicit GraphBuilder(std::string name);

    void reserve(std::size_t nodes, std::size_t values); ///< Where it is known how many will be added to the top.

    ValueId addInput(std::string_view name, TensorType type); ///< In a nested body: a BodyInput.
    ValueId addParameter(std::string_view name, TensorType type, TensorData data = {});
    ValueId addConstant(std::string_view name, TensorType type, TensorData data);

    /// \p node brings everything but name path, inputs, outputs, bodies and body; an empty name becomes
    /// "<Op>_<number>". An empty string in \p outputs is an output without a name.
    NodeId addNode(Node node, ValueIds inputs, const std::vector<std::string>& outputs);
    void addOutput(ValueId value); ///< Of the innermost open body.

    /// Nested bodies are added after their owner and before the next node of the owner's body.
    BodyId openBody(NodeId owner, std::string_view name);
    void closeBody();

    /// The value that \p name means here: innermost body first. Invalid when there is none yet.
    [[nodiscard]] ValueId find(std::string_view name) const;
    [[nodiscard]] ValueId output(NodeId node, std::size_t index) const;

    [[nodiscard]] Graph& graph() { return m_graph; } ///< For fields that need no bookkeeping: types, opsets, loss.

    /// The graph, validated (see validate.h), or the first thing that is wrong with it.
    [[nodiscard]] Result<Graph> build() &&;

private:
    struct Scope
    {
        BodyId body;
        std::string path; ///< "" or "node/body/"
        NameIndex names;  ///< ValueIds by their names behind the path.
    };
    ValueId addValue(std::string_view name, TensorType type, ValueRole role);
    /// Names the node that is added next.
    void enter(std::string& nodeName, bool given);
    void shareWords(Node& node);
    void noteRepeated();

    Graph m_graph;
    std::vector<Scope> m_scopes;
    NameIndex m_nodeNames;
    NumberedNames m_numbers;                      ///< For names of nodes.
    std::set<SharedText> m_words;                 ///< Operators and dialects, each once.
    std::map<Origin, Rare<Provenance>> m_origins; ///< Of nodes of which no more is known.
    std::vector<std::pair<std::string, std::string>>
        m_repeated;               ///< Names of the file, and what those nodes are called.
    std::optional<Error> m_error; ///< The first one.
};

} // namespace plimsoll
