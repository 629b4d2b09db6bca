#include "core/ops/sparse_rules.h"

#include "core/ops/op_schema.h"

#include <algorithm>

namespace plimsoll {
namespace {

using Storages = std::vector<StorageType>;

bool fits(const SparseRule& rule, const Storages& inputs)
{
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] != (i < rule.inputs.size() ? rule.inputs[i] : StorageType::Dense)) return false;
    }
    return true;
}

const SparseRule* findRule(const NodeFacts& facts, const OpSchema& schema, const Storages& inputs)
{
    const auto found = std::ranges::find_if(schema.storages, [&](const SparseRule& rule) {
        return fits(rule, inputs) && (!rule.holds || rule.holds(facts));
    });
    return found == schema.storages.end() ? nullptr : &*found;
}

Storages storagesOf(const NodeFacts& facts)
{
    Storages storages;
    for (std::size_t i = 0; i < facts.inputCount(); ++i)
        storages.push_back(facts.type(i).storage);
    return storages;
}

/// A typed graph as its rules see it.
class TypedGraph : public FactSource
{
public:
    explicit TypedGraph(const Graph& graph) : m_graph(graph) {}
    [[nodiscard]] const TensorType& type(ValueId value) const override { return m_graph[value].type; }
    [[nodiscard]] bool hasContent(ValueId) const override { return false; }
    [[nodiscard]] const PartialTensor& content(ValueId) override { return m_none; }

private:
    const Graph& m_graph;
    PartialTensor m_none;
};

} // namespace

void inferStorageTypes(NodeFacts& facts, const OpSchema& schema)
{
    for (std::size_t i = 0; i < facts.outputCount(); ++i)
        facts.output(i).type = facts.output(i).type.asDense();
    if (schema.storages.empty() || facts.outputCount() == 0) return;
    const Storages inputs = storagesOf(facts);
    const SparseRule* rule = findRule(facts, schema, inputs);
    if (!rule) rule = findRule(facts, schema, Storages(inputs.size(), StorageType::Dense));
    if (!rule) return;
    OutputFacts& output = facts.output(0);
    output.storageFollows = true;
    output.type.storage = rule->output;
    output.type.maxStored = rule->bound && output.type.isSparse() ? rule->bound(facts) : -1;
}

const SparseRule* sparseRuleOf(const Graph& graph, NodeId node)
{
    const OpSchema* schema = findSchema(graph[node].domain, graph[node].op);
    if (!schema || graph[node].outputs.empty() || !graph[node].outputs.front().valid()) return nullptr;
    TypedGraph types(graph);
    const NodeFacts facts(graph, node, types);
    const SparseRule* rule = findRule(facts, *schema, storagesOf(facts));
    return rule && rule->output == graph[graph[node].outputs.front()].type.storage ? rule : nullptr;
}

bool touchesSparse(const Graph& graph, NodeId node)
{
    const auto isSparse = [&graph](ValueId value) { return value.valid() && graph[value].type.isSparse(); };
    return std::ranges::any_of(graph[node].inputs, isSparse) || std::ranges::any_of(graph[node].outputs, isSparse);
}

} // namespace plimsoll
