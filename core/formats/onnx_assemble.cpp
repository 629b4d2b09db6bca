#include "core/formats/onnx_assemble.h"

#include "core/graph/graph_builder.h"
#include "core/graph/validate.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace plimsoll::onnx {
namespace {

using TypeMap = std::unordered_map<std::string, const TensorType*>;

Error bad(std::string message, std::string where)
{
    return {ErrorCode::BadInput, std::move(message), std::move(where), {}};
}

/// A node input whose name was not known yet when the node was added: the file lists nodes in another order, or the
/// name does not exist.
struct ForwardRead
{
    NodeId node;
    std::size_t input = 0;
    std::string name;
};

/// A name that two nodes of one body compute. Tools that rewrite graphs leave such nodes behind, unread; the second one
/// then gets a name of its own. Where anything reads the name after that, nobody can tell which is meant.
using Redefined = std::unordered_set<std::string>;

class Assembler
{
public:
    explicit Assembler(std::string name) : m_builder(std::move(name)) {}

    Result<Graph> run(GraphMessage& graph, const Opsets& opsets)
    {
        std::vector<ForwardRead> unresolved;
        PLIMSOLL_TRY(body(graph, "graph", unresolved));
        if (!unresolved.empty()) return unknownName(unresolved.front());
        m_builder.graph().opsets = opsets;
        m_builder.graph().format = "onnx";
        if (m_outOfOrder) PLIMSOLL_TRY(sortTopologically(m_builder.graph()));
        return std::move(m_builder).build();
    }

private:
    /// \p unresolved gets the reads that this body and those inside it could not settle.
    Status body(GraphMessage& graph, const std::string& place, std::vector<ForwardRead>& unresolved)
    {
        PLIMSOLL_TRY(addSources(graph, place));
        TypeMap types;
        for (const ValueInfo& info : graph.valueInfos)
            types[info.name] = &info.type;
        for (const ValueInfo& info : graph.outputs) {
            if (info.type.dims || !types.contains(info.name)) types[info.name] = &info.type;
        }
        std::vector<ForwardRead> forward;
        m_redefined.emplace_back();
        for (NodeMessage& node : graph.nodes)
            PLIMSOLL_TRY(addNode(node, types, forward));
        PLIMSOLL_TRY(settle(forward, unresolved));
        for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
            const std::string where = place + ".output[" + std::to_string(i) + "]";
            PLIMSOLL_ASSIGN(value, meaning(graph.outputs[i].name, where));
            if (!value.valid())
                return bad("The output '" + graph.outputs[i].name + "' is not computed by any node.", where);
            m_builder.addOutput(value);
        }
        m_redefined.pop_back();
        return {};
    }

    /// Inputs and initialisers. An input with an initialiser is a weight (files before IR 4 list every weight twice).
    Status addSources(GraphMessage& graph, const std::string& place)
    {
        std::unordered_set<std::string_view> weights;
        for (const Tensor& tensor : graph.initializers)
            weights.insert(tensor.name);
        if (weights.contains("")) return bad("An initialiser has no name.", place);
        for (ValueInfo& input : graph.inputs) {
            if (input.name.empty()) return bad("An input has no name.", place);
            if (!weights.contains(input.name)) m_builder.addInput(input.name, std::move(input.type));
        }
        for (Tensor& tensor : graph.initializers) {
            m_builder.addParameter(tensor.name, TensorType::dense(tensor.literal.dtype, tensor.literal.shape),
                                   std::move(tensor.literal.data));
        }
        return {};
    }

    Status addNode(NodeMessage& message, const TypeMap& types, std::vector<ForwardRead>& forward)
    {
        Node node;
        node.name = message.name;
        node.op = message.op;
        node.domain = message.domain;
        node.origin = {"onnx", message.op, message.overload};
        for (AttributeMessage& attribute : message.attributes) {
            if (!attribute.isGraph) node.attributes.insert_or_assign(attribute.name, std::move(attribute.value));
        }
        std::vector<ValueId> inputs;
        for (const std::string& name : message.inputs) {
            PLIMSOLL_ASSIGN(value, meaning(name, "node '" + message.name + "'"));
            inputs.push_back(value);
        }
        const NodeId id = m_builder.addNode(std::move(node), std::move(inputs), ownNames(message.outputs));
        noteForwardReads(id, message, forward);
        giveTypes(id, message, types);
        return addBodies(id, message, forward);
    }

    void noteForwardReads(NodeId id, const NodeMessage& message, std::vector<ForwardRead>& forward)
    {
        for (std::size_t i = 0; i < message.inputs.size(); ++i) {
            if (!message.inputs[i].empty() && !m_builder.graph()[id].inputs[i].valid())
                forward.push_back({id, i, message.inputs[i]});
        }
    }

    void giveTypes(NodeId id, const NodeMessage& message, const TypeMap& types)
    {
        for (std::size_t i = 0; i < message.outputs.size(); ++i) {
            const auto found = types.find(message.outputs[i]);
            const ValueId output = m_builder.output(id, i);
            if (found != types.end() && output.valid()) m_builder.graph()[output].type = *found->second;
        }
    }

    Status addBodies(NodeId id, NodeMessage& message, std::vector<ForwardRead>& forward)
    {
        // If is defined with its then branch first; files list the branches in any order.
        std::stable_partition(message.attributes.begin(), message.attributes.end(),
                              [](const AttributeMessage& a) { return a.name == "then_branch"; });
        for (AttributeMessage& attribute : message.attributes) {
            for (std::size_t i = 0; i < attribute.graphs.size(); ++i) {
                const std::string suffix = attribute.graphs.size() > 1 ? "[" + std::to_string(i) + "]" : "";
                m_bodies.push_back(m_builder.openBody(id, attribute.name + suffix));
                const std::string place = "node '" + m_builder.graph()[id].name + "'." + attribute.name + suffix;
                PLIMSOLL_TRY(body(attribute.graphs[i], place, forward));
                m_builder.closeBody();
                m_bodies.pop_back();
            }
        }
        return {};
    }

    /// Looks the names up again, now that every node of this body is there; the rest is left to the body around it.
    Status settle(std::vector<ForwardRead>& forward, std::vector<ForwardRead>& unresolved)
    {
        for (ForwardRead& read : forward) {
            PLIMSOLL_ASSIGN(value, meaning(read.name, "node '" + m_builder.graph()[read.node].name + "'"));
            if (!value.valid()) {
                unresolved.push_back(std::move(read));
                continue;
            }
            m_builder.graph()[read.node].inputs[read.input] = value;
            m_outOfOrder = true;
        }
        return {};
    }

    /// The value that \p name means here; invalid for an absent input and for a name that is not there (yet).
    Result<ValueId> meaning(const std::string& name, const std::string& reader) const
    {
        if (name.empty()) return ValueId();
        for (const Redefined& names : m_redefined) {
            if (names.contains(name))
                return bad("It reads the value '" + name +
                               "', which two nodes compute. Every value needs a name of its own.",
                           reader);
        }
        return m_builder.find(name);
    }

    /// \p names, with another name for each that a node of this body computes already.
    std::vector<std::string> ownNames(std::vector<std::string> names)
    {
        const BodyId here = m_bodies.empty() ? TopBody : m_bodies.back();
        for (std::string& name : names) {
            const ValueId earlier = name.empty() ? ValueId() : m_builder.find(name);
            if (!earlier.valid()) continue;
            const Value& value = m_builder.graph()[earlier];
            if (value.body != here || !value.producer.valid()) continue;
            m_redefined.back().insert(name);
            int copy = 2;
            while (m_builder.find(name + "#" + std::to_string(copy)).valid())
                ++copy;
            name += "#" + std::to_string(copy);
        }
        return names;
    }

    Error unknownName(const ForwardRead& read)
    {
        return bad("Input " + std::to_string(read.input) + ", '" + read.name +
                       "', is neither computed by a node nor an input or initialiser of the graph.",
                   "node '" + m_builder.graph()[read.node].name + "'");
    }

    GraphBuilder m_builder;
    std::vector<BodyId> m_bodies;       ///< The open ones, without the top.
    std::vector<Redefined> m_redefined; ///< By open body, the top first.
    bool m_outOfOrder = false;
};

} // namespace

Result<Graph> assemble(Model model)
{
    if (!model.graph) return bad("There is no graph in it: this is not an ONNX model, or a damaged one.", "");
    if (model.graph->nodes.empty() && model.graph->outputs.empty())
        return bad("The graph has neither nodes nor outputs.", "graph");
    if (model.irVersion < 3 && model.opsets.empty()) model.opsets[""] = 1; // as the format defined it then
    const std::string name = model.graph->name;
    return Assembler(name).run(*model.graph, model.opsets);
}

} // namespace plimsoll::onnx
