#include "core/ops/counterpart_node.h"

#include <vector>

namespace plimsoll {
namespace {

Node nodeAs(const NodeFacts& facts, const Counterpart& counterpart)
{
    Node node = facts.node();
    node.domain = counterpart.domain;
    node.op = counterpart.op;
    node.attributes = counterpart.attributes;
    node.inputs.clear();
    return node;
}

} // namespace

/// The inputs of a counterpart: those of the node, and behind all values of the graph what stands for further ones.
class CounterpartNode::StandIns : public FactSource
{
public:
    StandIns(FactSource& outer, std::size_t first) : m_outer(outer), m_first(first) {}

    ValueId standIn(const NodeFacts& facts, const Counterpart& counterpart, const CounterpartInput& input)
    {
        if (input.integers) {
            const auto count = static_cast<std::int64_t>(input.integers->size());
            PartialTensor list {DType::Int64, {count}, {}, true};
            for (const std::int64_t number : *input.integers)
                list.elements.emplace_back(Scalar::ofInteger(number));
            return add(TensorType::dense(DType::Int64, {count}), std::move(list));
        }
        if (input.number) return add(TensorType::dense(facts.dtype(0), {}), {});
        const DType own = facts.dtype(input.input);
        if (input.dims) return add(tensorOf(own == DType::Unknown ? facts.dtype(0) : own, *input.dims), {});
        if (!facts.has(input.input)) return {};
        return counterpart.typesOnly.empty() ? facts.node().inputs[input.input] : add(facts.type(input.input), {});
    }
    [[nodiscard]] const TensorType& type(ValueId value) const override
    {
        return isOwn(value) ? m_types[value.index() - m_first] : m_outer.type(value);
    }
    [[nodiscard]] bool hasContent(ValueId value) const override
    {
        return isOwn(value) ? m_contents[value.index() - m_first].tracked : m_outer.hasContent(value);
    }
    [[nodiscard]] const PartialTensor& content(ValueId value) override
    {
        return isOwn(value) ? m_contents[value.index() - m_first] : m_outer.content(value);
    }

private:
    ValueId add(TensorType type, PartialTensor content)
    {
        m_types.push_back(std::move(type));
        m_contents.push_back(std::move(content));
        return ValueId(m_first + m_types.size() - 1);
    }
    [[nodiscard]] bool isOwn(ValueId value) const { return value.index() >= m_first; }

    FactSource& m_outer;
    std::size_t m_first;
    std::vector<TensorType> m_types;
    std::vector<PartialTensor> m_contents;
};

CounterpartNode::CounterpartNode(const NodeFacts& facts, const Counterpart& counterpart)
    : m_source(std::make_unique<StandIns>(facts.source(), facts.graph().values.size())),
      m_node(nodeAs(facts, counterpart)), m_facts(facts.graph(), facts.nodeId(), m_node, *m_source)
{
    for (const CounterpartInput& input : counterpart.inputs)
        m_node.inputs.push_back(m_source->standIn(facts, counterpart, input));
}

CounterpartNode::~CounterpartNode() = default;

} // namespace plimsoll
