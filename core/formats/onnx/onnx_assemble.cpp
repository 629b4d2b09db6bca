#include "core/formats/onnx/onnx_assemble.h"

#include "core/base/short_text.h"
#include "core/formats/bad_input.h"
#include "core/formats/named_builder.h"
#include "core/graph/sparse_parts.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll::onnx {
namespace {

constexpr std::size_t LongestOfPlace = 200; ///< Of a name: it stands in the place of every node below.

struct Notes
{
    std::vector<Message> said;
    std::vector<std::string> branches; ///< Places of those that list inputs.
    NodeKinds kinds;
};

NamedGraph toNamed(GraphMessage& graph, std::string place, Notes& notes);

/// What the branch reads by these names is what the graph around it means by them. Models of old list parameters, too.
void dropInputs(GraphMessage& branch, const std::string& place, Notes& notes)
{
    const auto isParameter = [&](const ValueInfo& input) {
        return std::ranges::any_of(branch.initializers,
                                   [&](const Tensor& tensor) { return tensor.name == input.name; });
    };
    if (!std::ranges::all_of(branch.inputs, isParameter)) notes.branches.push_back(place);
    branch.inputs.clear();
}

NamedNode toNamed(NodeMessage& message, std::string place, Notes& notes)
{
    NamedNode named;
    named.place = std::move(place);
    named.node = notes.kinds.node(message.domain, message.op, {"onnx", message.op, message.overload});
    named.node.name = std::move(message.name);
    if (!message.source.empty()) named.node.from.edit().source = std::move(message.source);
    if (!message.module.empty()) named.node.from.edit().module = std::move(message.module);
    named.inputs = std::move(message.inputs);
    named.outputs = std::move(message.outputs);
    const bool branches = hasBranches(message);
    for (AttributeMessage& attribute : message.attributes) {
        if (attribute.sparse)
            notes.said.push_back(
                say("note.onnx-sparse-attribute", word::Name {attribute.name}, word::Name {named.place}));
        if (!attribute.isGraph) named.node.attributes[attribute.name] = std::move(attribute.value);
        for (std::size_t i = 0; i < attribute.graphs.size(); ++i) {
            std::string name = attribute.name;
            if (attribute.graphs.size() > 1) name += "[" + std::to_string(i) + "]";
            const std::string where = named.place + "." + shortMiddle(name, LongestOfPlace);
            if (branches) dropInputs(attribute.graphs[i], where, notes);
            named.bodies.push_back({name, toNamed(attribute.graphs[i], where, notes)});
        }
    }
    // If is defined with its then branch first; files list the branches in any order.
    std::stable_partition(named.bodies.begin(), named.bodies.end(),
                          [](const auto& b) { return b.name == "then_branch"; });
    return named;
}

/// csr where that fits, with room for what the file lists; dense elsewhere.
NamedValue toNamed(Tensor& tensor, Notes& notes)
{
    TensorType type = TensorType::dense(tensor.literal.dtype, tensor.literal.shape);
    if (tensor.kept) {
        TensorType sparse = type;
        sparse.storage = StorageType::Csr;
        sparse.maxStored = *tensor.kept;
        const Message why = whyNotSparse(sparse);
        if (why.empty()) type = std::move(sparse);
        notes.said.push_back(why.empty() ? say("note.onnx-csr", word::Name {tensor.name})
                                         : say("note.onnx-dense", word::Name {tensor.name}, why));
    }
    return {.name = tensor.name, .type = std::move(type), .data = std::move(tensor.literal.data)};
}

NamedGraph toNamed(GraphMessage& graph, std::string place, Notes& notes)
{
    NamedGraph named;
    // Types of computed values: from value_info, or from the graph's outputs, which are more often complete.
    std::unordered_map<std::string, TensorType> types;
    for (; !graph.valueInfos.empty(); graph.valueInfos.pop_front())
        types[graph.valueInfos.front().name] = std::move(graph.valueInfos.front().type);
    for (const ValueInfo& info : graph.outputs) {
        if (info.type.dims || !types.contains(info.name)) types[info.name] = info.type;
    }
    for (auto& [name, type] : types)
        named.values.push_back({.name = name, .type = std::move(type)});
    for (; !graph.inputs.empty(); graph.inputs.pop_front())
        named.inputs.push_back({.name = graph.inputs.front().name, .type = std::move(graph.inputs.front().type)});
    for (; !graph.initializers.empty(); graph.initializers.pop_front())
        named.parameters.push_back(toNamed(graph.initializers.front(), notes));
    for (const ValueInfo& output : graph.outputs)
        named.outputs.push_back(output.name);
    for (std::size_t i = 0; !graph.nodes.empty(); ++i, graph.nodes.pop_front()) {
        NodeMessage& node = graph.nodes.front();
        std::string where = place + ".node[" + std::to_string(i) + "]";
        if (!node.name.empty()) where += " '" + shortMiddle(node.name, LongestOfPlace) + "'";
        const bool constant = node.op == "Constant" && node.domain.empty() && node.outputs.size() == 1;
        const auto found = std::ranges::find(node.attributes, "sparse_value", &AttributeMessage::name);
        if (constant && found != node.attributes.end() && found->sparse) { // makes a sparse tensor known, and no more
            found->sparse->name = node.outputs.front();
            named.constants.push_back(toNamed(*found->sparse, notes));
        } else {
            named.nodes.push_back(toNamed(node, std::move(where), notes));
        }
    }
    named.place = std::move(place);
    return named;
}

} // namespace

Result<Graph> toGraph(Model model, const ReadingRoom& room)
{
    if (!model.graph) return badInput(say("onnx.no-graph"));
    if (model.graph->nodes.empty() && model.graph->outputs.empty()) return badInput(say("onnx.empty-graph"), "graph");
    if (model.irVersion < 3 && model.opsets.empty()) model.opsets[""] = 1; // as the format defined it then
    const AssembleRequest request {.name = model.graph->name, .lenient = true, .room = room};
    Notes notes;
    auto graph = assemble(toNamed(*model.graph, "graph", notes), request);
    if (!graph.ok()) return graph;
    std::vector<Message>& said = graph.value().notes;
    said.insert(said.end(), notes.said.begin(), notes.said.end());
    if (const std::size_t count = notes.branches.size(); count > 0)
        said.push_back(say("note.onnx-branch-inputs", word::List {{notes.branches.front()}, count - 1}, count));
    graph.value().opsets = std::move(model.opsets);
    return graph;
}

} // namespace plimsoll::onnx
