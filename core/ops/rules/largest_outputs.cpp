#include "core/ops/rules/largest_outputs.h"

#include "core/ops/op_schema.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Whether each input that is there has a size, or at most the one that \p facts say where the rule allows it.
bool mayGrow(const NodeFacts& facts, Operands grows)
{
    for (std::size_t i = 0; i < facts.inputCount(); ++i) {
        if (!facts.has(i)) continue;
        const bool open = isOpen(facts.graph()[facts.node().inputs[i]].type);
        if (!facts.type(i).shape() || (open && !grows.has(static_cast<int>(i)))) return false;
    }
    return !grows.empty();
}

/// The value whose elements the operator hands on, whatever their shape is then; invalid where it does not.
ValueId keptFrom(const Graph& graph, ValueId value)
{
    if (!graph[value].producer.valid()) return {};
    const Node& maker = graph[graph[value].producer];
    const OpSchema* schema = findSchema(maker.domain, maker.op);
    const ValueId from = schema && schema->identity ? valueAt(maker.inputs, 0) : ValueId();
    const bool first = from.valid() && graph[value].producerOutput == 0;
    return first && graph[from].type.dtype == graph[value].type.dtype ? from : ValueId();
}

/// Where the rank is not known, nothing is.
TensorType boundedBy(TensorType known, const TensorType& bound)
{
    if (!known.dims || !bound.dims || known.dims->size() != bound.dims->size()) return known;
    for (std::size_t i = 0; i < known.dims->size(); ++i) {
        Dim& dim = (*known.dims)[i];
        if (!dim.known()) dim = (*bound.dims)[i];
    }
    return known;
}

} // namespace

bool isOpen(const TensorType& type)
{
    return type.kind == TypeKind::Tensor && !type.isSparse() && !type.bytes() && dtypeBits(type.dtype) > 0;
}

const TensorType& LargestFacts::type(ValueId value) const
{
    const auto bounded = m_bounded.find(value);
    return bounded == m_bounded.end() ? GraphFacts::type(value) : bounded->second;
}

void LargestFacts::bound(ValueId value, const TensorType& bound)
{
    if (value.valid() && isOpen(GraphFacts::type(value)))
        m_bounded.insert_or_assign(value, boundedBy(GraphFacts::type(value), bound));
}

std::int64_t LargestFacts::largestBytes(ValueId value) const
{
    if (!isOpen(m_graph[value].type)) return -1;
    std::optional<std::int64_t> bytes = type(value).bytes();
    for (ValueId kept = keptFrom(m_graph, value); !bytes && kept.valid(); kept = keptFrom(m_graph, kept))
        bytes = type(kept).bytes();
    return bytes.value_or(-1);
}

TensorType largerOf(const TensorType& a, const TensorType& b)
{
    const auto left = a.shape();
    const auto right = b.shape();
    TensorType larger = a;
    larger.dims.reset();
    if (!left || !right || left->size() != right->size()) return larger;
    larger.dims.emplace();
    for (std::size_t i = 0; i < left->size(); ++i)
        larger.dims->push_back({std::max((*left)[i], (*right)[i]), {}});
    return larger;
}

std::vector<TensorType> largestOutputs(const Graph& graph, NodeId id, FactSource& largest)
{
    const Node& node = graph[id];
    std::vector<TensorType> types;
    for (const ValueId output : node.outputs)
        types.push_back(output.valid() ? graph[output].type : TensorType {});
    const OpSchema* schema = findSchema(node.domain, node.op);
    if (!schema || !node.bodies.empty()) return types;
    NodeFacts facts(graph, id, largest);
    const InferFunction rule = schema->most ? schema->most : mayGrow(facts, schema->grows) ? schema->infer : nullptr;
    if (!rule || !rule(facts).ok()) return types;
    for (std::size_t i = 0; i < types.size(); ++i)
        types[i] = boundedBy(types[i], facts.output(i).type);
    return types;
}

} // namespace plimsoll
