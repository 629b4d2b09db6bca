#include "core/formats/onnx_functions.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace plimsoll::onnx {
namespace {

constexpr int MaxCallDepth = 64;
constexpr std::int64_t MaxNodes = 250'000;

Error bad(std::string message, const std::string& call)
{
    return {ErrorCode::BadInput, std::move(message), "node '" + call + "'", {}};
}

/// Gives the nodes of one call the names and attributes of its caller.
class Substitution
{
public:
    Substitution(const FunctionMessage& function, const NodeMessage& call, std::string prefix)
        : m_function(function), m_call(call), m_prefix(std::move(prefix))
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
    void appendPassThrough(std::vector<NodeMessage>& nodes) const
    {
        for (std::size_t i = 0; i < std::min(m_function.outputs.size(), m_call.outputs.size()); ++i) {
            const std::string& formal = m_function.outputs[i];
            const auto& inputs = m_function.inputs;
            if (m_call.outputs[i].empty() || std::find(inputs.begin(), inputs.end(), formal) == inputs.end()) continue;
            NodeMessage copy;
            copy.op = "Identity";
            copy.name = m_prefix + "/" + formal;
            copy.inputs = {m_names.at(formal)};
            copy.outputs = {m_call.outputs[i]};
            nodes.push_back(std::move(copy));
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
        for (std::string& name : node.inputs)
            name = renamed(name);
        for (std::string& name : node.outputs)
            name = renamed(name);
        resolveReferences(node);
        for (AttributeMessage& attribute : node.attributes) {
            for (GraphMessage& graph : attribute.graphs)
                rename(graph);
        }
    }

    /// What a nested graph defines keeps its name and hides the function's.
    void rename(GraphMessage& graph)
    {
        const auto outer = m_hidden;
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

    void resolveReferences(NodeMessage& node) const
    {
        std::vector<AttributeMessage> attributes;
        for (AttributeMessage& attribute : node.attributes) {
            if (attribute.reference.empty()) {
                attributes.push_back(std::move(attribute));
            } else if (const AttributeMessage* meant = findMeant(attribute.reference)) {
                attributes.push_back(*meant);
                attributes.back().name = attribute.name;
            }
        }
        node.attributes = std::move(attributes);
    }

    [[nodiscard]] const AttributeMessage* findMeant(const std::string& name) const
    {
        for (const auto* list : {&m_call.attributes, &m_function.defaults}) {
            const auto found = std::find_if(list->begin(), list->end(), [&](const auto& a) { return a.name == name; });
            if (found != list->end()) return &*found;
        }
        return nullptr;
    }

    const FunctionMessage& m_function;
    const NodeMessage& m_call;
    std::string m_prefix;
    std::unordered_map<std::string, std::string> m_names; ///< Of the function → of the caller.
    std::set<std::string> m_hidden;
    int m_count = 0;
};

class Inliner
{
public:
    explicit Inliner(const Model& model) : m_model(model)
    {
        for (const FunctionMessage& f : model.functions)
            m_functions.emplace(key(f.domain, f.name, f.overload), &f);
    }

    Status expand(std::vector<NodeMessage>& nodes, int depth)
    {
        std::vector<NodeMessage> expanded;
        for (NodeMessage& node : nodes) {
            for (AttributeMessage& attribute : node.attributes) {
                for (GraphMessage& graph : attribute.graphs)
                    PLIMSOLL_TRY(expand(graph.nodes, depth));
            }
            const auto function = m_functions.find(key(node.domain, node.op, node.overload));
            if (function == m_functions.end()) {
                if (++m_nodes > MaxNodes)
                    return bad("The functions of the model expand to more than 250,000 nodes.", node.name);
                expanded.push_back(std::move(node));
            } else {
                PLIMSOLL_TRY(call(node, *function->second, expanded, depth));
            }
        }
        nodes = std::move(expanded);
        return {};
    }

private:
    static std::string key(const std::string& domain, const std::string& name, const std::string& overload)
    {
        return domain + "::" + name + "::" + overload;
    }

    Status call(const NodeMessage& node, const FunctionMessage& function, std::vector<NodeMessage>& out, int depth)
    {
        PLIMSOLL_TRY(check(node, function, depth));
        Substitution substitution(function, node, uniquePrefix(node));
        std::vector<NodeMessage> inner;
        for (const NodeMessage& step : function.nodes)
            inner.push_back(substitution.apply(step));
        substitution.appendPassThrough(inner);
        PLIMSOLL_TRY(expand(inner, depth + 1));
        std::move(inner.begin(), inner.end(), std::back_inserter(out));
        return {};
    }

    Status check(const NodeMessage& node, const FunctionMessage& function, int depth) const
    {
        const std::string what = "The function '" + function.name + "' of the model ";
        if (depth >= MaxCallDepth) return bad(what + "calls itself, or is nested more than 64 deep.", node.name);
        if (node.inputs.size() > function.inputs.size() || node.outputs.size() > function.outputs.size())
            return bad(what + "is called with more inputs or outputs than it has.", node.name);
        for (const auto& [domain, version] : function.opsets) {
            const auto imported = m_model.opsets.find(domain);
            if (imported != m_model.opsets.end() && imported->second != version)
                return bad(what + "is written for version " + std::to_string(version) + " of operator set '" + domain +
                               "', the model for version " + std::to_string(imported->second) +
                               ". Convert them to one version first.",
                           node.name);
        }
        return {};
    }

    std::string uniquePrefix(const NodeMessage& node)
    {
        const std::string base = node.name.empty() ? node.op : node.name;
        std::string prefix = base;
        for (int i = 2; !m_prefixes.insert(prefix).second; ++i)
            prefix = base + "#" + std::to_string(i);
        return prefix;
    }

    const Model& m_model;
    std::unordered_map<std::string, const FunctionMessage*> m_functions;
    std::unordered_set<std::string> m_prefixes;
    std::int64_t m_nodes = 0;
};

} // namespace

Status inlineFunctions(Model& model)
{
    if (model.functions.empty() || !model.graph) return {};
    PLIMSOLL_TRY(Inliner(model).expand(model.graph->nodes, 0));
    for (const FunctionMessage& function : model.functions) {
        for (const auto& [domain, version] : function.opsets)
            model.opsets.emplace(domain, version);
    }
    return {};
}

} // namespace plimsoll::onnx
