#include "core/formats/onnx/onnx_functions.h"

#include "core/formats/bad_input.h"
#include "core/formats/named_builder.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace plimsoll::onnx {
namespace {

constexpr int MaxCallDepth = 64;

Error bad(Message message, const NodeMessage& call)
{
    return badInput(std::move(message), "node '" + (call.name.empty() ? call.op : call.name) + "'");
}

std::size_t bytesOf(const Attribute& value)
{
    const auto listed = [](const auto& list) { return list.size() * sizeof(list.front()); };
    if (const auto* text = std::get_if<std::string>(&value)) return text->size();
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value)) return listed(*numbers);
    if (const auto* numbers = std::get_if<std::vector<double>>(&value)) return listed(*numbers);
    if (const auto* tensors = std::get_if<std::vector<TensorLiteral>>(&value)) return listed(*tensors);
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (!texts) return 0;
    std::size_t bytes = listed(*texts);
    for (const std::string& text : *texts)
        bytes += text.size();
    return bytes;
}

std::size_t roomOf(const NodeMessage& node);

std::size_t roomOf(const AttributeMessage& attribute)
{
    std::size_t bytes = ReadingRoom::Attribute + sizeof attribute + bytesOf(attribute.value);
    for (const GraphMessage& graph : attribute.graphs) {
        for (const NodeMessage& node : graph.nodes)
            bytes += roomOf(node);
        for (const Tensor& tensor : graph.initializers)
            bytes += ReadingRoom::Value + sizeof tensor + 2 * tensor.name.size();
        for (const auto* infos : {&graph.inputs, &graph.outputs, &graph.valueInfos}) {
            for (const ValueInfo& info : *infos)
                bytes += ReadingRoom::Value + 2 * info.name.size();
        }
    }
    return bytes;
}

/// What a copy of the node takes until it stands in a graph.
std::size_t roomOf(const NodeMessage& node)
{
    std::size_t bytes = roomOfNames(node);
    for (const AttributeMessage& attribute : node.attributes)
        bytes += roomOf(attribute);
    return bytes;
}

/// Gives the nodes of one call the names and attributes of its caller.
class Substitution
{
public:
    /// Graphs that are handed over as attributes are taken out of \p room; where it is full they stay away.
    Substitution(const FunctionMessage& function, const NodeMessage& call, std::string prefix, ReadingRoom& room)
        : m_function(function), m_call(call), m_prefix(std::move(prefix)), m_room(room)
    {
        for (std::size_t i = 0; i < function.inputs.size(); ++i)
            m_names.emplace(function.inputs[i], i < call.inputs.size() ? call.inputs[i] : std::string());
        for (std::size_t i = 0; i < std::min(function.outputs.size(), call.outputs.size()); ++i) {
            if (!call.outputs[i].empty()) m_names.emplace(function.outputs[i], call.outputs[i]);
        }
    }

    [[nodiscard]] NodeMessage apply(NodeMessage node)
    {
        rename(node);
        node.name = m_prefix + "/" + (node.name.empty() ? node.op + "_" + std::to_string(m_count) : node.name);
        ++m_count;
        return node;
    }

    /// Outputs that are inputs handed through: a copy node, since a value has one name.
    void appendPassThrough(std::deque<NodeMessage>& nodes) const
    {
        for (std::size_t i = 0; i < std::min(m_function.outputs.size(), m_call.outputs.size()); ++i) {
            const std::string& formal = m_function.outputs[i];
            if (m_call.outputs[i].empty() || std::ranges::find(m_function.inputs, formal) == m_function.inputs.end())
                continue;
            nodes.push_back({.name = m_prefix + "/" + formal,
                             .op = "Identity",
                             .inputs = {m_names.at(formal)},
                             .outputs = {m_call.outputs[i]}});
        }
    }

private:
    [[nodiscard]] std::string renamed(const std::string& name) const
    {
        if (name.empty() || m_hidden.contains(name)) return name;
        const auto found = m_names.find(name);
        return found == m_names.end() ? m_prefix + "/" + name : found->second;
    }

    void rename(NodeMessage& node)
    {
        for (auto* names : {&node.inputs, &node.outputs}) {
            for (std::string& name : *names)
                name = renamed(name);
        }
        resolveReferences(node);
        for (AttributeMessage& attribute : node.attributes) {
            for (GraphMessage& graph : attribute.graphs)
                rename(graph, hasBranches(node));
        }
    }

    /// What a nested graph defines keeps its name and hides the function's.
    void rename(GraphMessage& graph, bool isBranch)
    {
        const auto outer = m_hidden;
        if (isBranch) graph.inputs.clear();
        for (const ValueInfo& input : graph.inputs)
            m_hidden.insert(input.name);
        for (const Tensor& tensor : graph.initializers)
            m_hidden.insert(tensor.name);
        for (const NodeMessage& node : graph.nodes)
            m_hidden.insert(node.outputs.begin(), node.outputs.end());
        for (NodeMessage& node : graph.nodes)
            rename(node);
        for (ValueInfo& output : graph.outputs)
            output.name = renamed(output.name);
        m_hidden = outer;
    }

    void resolveReferences(NodeMessage& node)
    {
        std::vector<AttributeMessage> attributes;
        for (AttributeMessage& attribute : node.attributes) {
            if (attribute.reference.empty()) {
                attributes.push_back(std::move(attribute));
            } else if (const AttributeMessage* meant = findMeant(attribute.reference)) {
                m_room.take(roomOf(*meant));
                if (m_room.isFull()) return;
                attributes.push_back(*meant);
                attributes.back().name = attribute.name;
            }
        }
        node.attributes = std::move(attributes);
    }

    [[nodiscard]] const AttributeMessage* findMeant(const std::string& name) const
    {
        for (const auto* list : {&m_call.attributes, &m_function.defaults}) {
            const auto found = std::ranges::find(*list, name, &AttributeMessage::name);
            if (found != list->end()) return &*found;
        }
        return nullptr;
    }

    const FunctionMessage& m_function;
    const NodeMessage& m_call;
    std::string m_prefix;
    std::unordered_map<std::string, std::string> m_names; ///< Of the function → of the caller.
    std::set<std::string> m_hidden;
    ReadingRoom& m_room;
    int m_count = 0;
};

Error tooLarge(const NodeMessage& call)
{
    return bad(ReadingRoom::refusal(), call);
}

std::string key(const std::string& domain, const std::string& name, const std::string& overload)
{
    return domain + "::" + name + "::" + overload;
}

using Functions = std::unordered_map<std::string, const FunctionMessage*>;

const FunctionMessage* calledBy(const NodeMessage& node, const Functions& functions)
{
    const auto found = functions.find(key(node.domain, node.op, node.overload));
    return found == functions.end() ? nullptr : found->second;
}

/// Counts the nodes that calls expand to, each function once, before anything is expanded: a few hundred bytes can ask
/// for 2^40 nodes.
class ExpansionSize
{
public:
    ExpansionSize(const Functions& functions, std::int64_t most) : m_functions(functions), m_most(most) {}

    Result<std::int64_t> of(const std::deque<NodeMessage>& nodes, int depth = 0)
    {
        std::int64_t total = 0;
        for (const NodeMessage& node : nodes) {
            const FunctionMessage* const called = calledBy(node, m_functions);
            PLIMSOLL_ASSIGN(size, called ? ofFunction(*called, node, depth) : Result<std::int64_t>(1));
            total += size;
            for (const AttributeMessage& attribute : node.attributes) {
                for (const GraphMessage& graph : attribute.graphs) {
                    PLIMSOLL_ASSIGN(inner, of(graph.nodes, depth));
                    total += inner;
                }
            }
            if (total > m_most) return tooLarge(node);
        }
        return total;
    }

private:
    Result<std::int64_t> ofFunction(const FunctionMessage& function, const NodeMessage& call, int depth)
    {
        if (const auto known = m_sizes.find(&function); known != m_sizes.end()) return known->second;
        if (depth >= MaxCallDepth) return bad(say("onnx.recursive-function", word::Name {function.name}), call);
        PLIMSOLL_ASSIGN(size, of(function.nodes, depth + 1));
        m_sizes[&function] = size;
        return size;
    }

    const Functions& m_functions;
    std::int64_t m_most = 0; ///< Nodes.
    std::unordered_map<const FunctionMessage*, std::int64_t> m_sizes;
};

class Inliner
{
public:
    Inliner(const Model& model, ReadingRoom& room) : m_model(model), m_room(room)
    {
        for (const FunctionMessage& f : model.functions)
            m_functions.emplace(key(f.domain, f.name, f.overload), &f);
    }

    Status expandAll(std::deque<NodeMessage>& nodes)
    {
        const auto most = static_cast<std::int64_t>(m_room.left() / ReadingRoom::Node);
        PLIMSOLL_TRY(ExpansionSize(m_functions, most).of(nodes));
        return expand(nodes);
    }

private:
    /// Ends, because ExpansionSize found that no function calls itself.
    Status expand(std::deque<NodeMessage>& nodes)
    {
        std::deque<NodeMessage> expanded;
        for (NodeMessage& node : nodes) {
            for (AttributeMessage& attribute : node.attributes) {
                for (GraphMessage& graph : attribute.graphs)
                    PLIMSOLL_TRY(expand(graph.nodes));
            }
            if (const FunctionMessage* const function = calledBy(node, m_functions)) {
                PLIMSOLL_TRY(call(node, *function, expanded));
            } else {
                expanded.push_back(std::move(node));
            }
        }
        nodes = std::move(expanded);
        return {};
    }

    Status call(const NodeMessage& node, const FunctionMessage& function, std::deque<NodeMessage>& out)
    {
        PLIMSOLL_TRY(check(node, function));
        Substitution substitution(function, node, m_prefixes.unique(node.name.empty() ? node.op : node.name), m_room);
        std::deque<NodeMessage> inner;
        for (const NodeMessage& step : function.nodes) {
            const NodeMessage& made = inner.emplace_back(substitution.apply(step));
            if (!calledBy(made, m_functions)) m_room.take(roomOf(made)); // a call is gone when it is expanded
            if (m_room.isFull()) return tooLarge(node);
        }
        substitution.appendPassThrough(inner);
        PLIMSOLL_TRY(expand(inner));
        std::move(inner.begin(), inner.end(), std::back_inserter(out));
        return {};
    }

    Status check(const NodeMessage& node, const FunctionMessage& function) const
    {
        if (node.inputs.size() > function.inputs.size() || node.outputs.size() > function.outputs.size())
            return bad(say("onnx.call-arguments", word::Name {function.name}), node);
        for (const auto& [domain, version] : function.opsets) {
            const auto imported = m_model.opsets.find(domain);
            if (imported != m_model.opsets.end() && imported->second != version)
                return bad(say("onnx.function-opset", word::Name {function.name}, word::Number(version),
                               word::Name {domain}, word::Number(imported->second)),
                           node);
        }
        return {};
    }

    const Model& m_model;
    ReadingRoom& m_room;
    Functions m_functions;
    UniqueNames m_prefixes;
};

} // namespace

Status inlineFunctions(Model& model, ReadingRoom& room)
{
    if (model.functions.empty() || !model.graph) return {};
    PLIMSOLL_TRY(Inliner(model, room).expandAll(model.graph->nodes));
    for (const FunctionMessage& function : model.functions) {
        for (const auto& [domain, version] : function.opsets)
            model.opsets.emplace(domain, version);
    }
    return {};
}

} // namespace plimsoll::onnx
