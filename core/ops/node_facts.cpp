#include "core/ops/node_facts.h"

#include "core/ops/op_schema.h"
#include "core/ops/safe_int.h"

namespace plimsoll {

namespace {

const TensorType AbsentType;
const PartialTensor NoContent;
constexpr std::int64_t RealLimit = 1024; ///< Elements; real numbers in shape arithmetic are few.
} // namespace

const TensorType& FactSource::wanted(ValueId) const
{
    return AbsentType;
}

NodeFacts::NodeFacts(const Graph& graph, NodeId node, FactSource& source) : NodeFacts(graph, node, graph[node], source)
{
}

NodeFacts::NodeFacts(const Graph& graph, NodeId node, const Node& standIn, FactSource& source)
    : m_graph(graph), m_id(node), m_node(standIn), m_source(source), m_opset(opsetOf(graph, m_node)),
      m_outputs(m_node.outputs.size())
{
}

bool NodeFacts::has(std::size_t input) const
{
    return input < m_node.inputs.size() && m_node.inputs[input].valid();
}

const TensorType& NodeFacts::type(std::size_t input) const
{
    return has(input) ? m_source.type(m_node.inputs[input]) : AbsentType;
}

bool NodeFacts::hasContent(std::size_t input) const
{
    return has(input) && m_source.hasContent(m_node.inputs[input]);
}

const PartialTensor& NodeFacts::content(std::size_t input)
{
    return hasContent(input) ? m_source.content(m_node.inputs[input]) : NoContent;
}

const std::vector<std::int64_t>& NodeFacts::starts(std::size_t axis, const std::function<Dims()>& sizes)
{
    const auto [known, isNew] = m_starts.try_emplace(axis);
    std::vector<std::int64_t>& starts = known->second;
    if (!isNew) return starts;
    SafeInt end = 0;
    starts.push_back(0);
    for (const std::int64_t size : sizes()) {
        end = end + size;
        if (size < 0 || !end.get()) break;
        starts.push_back(*end.get());
    }
    return starts;
}

std::optional<std::vector<std::int64_t>> NodeFacts::integers(std::size_t input)
{
    const PartialTensor& tensor = content(input);
    if (!tensor.complete()) return std::nullopt;
    std::vector<std::int64_t> numbers;
    numbers.reserve(tensor.elements.size());
    for (const auto& element : tensor.elements) {
        if (element->isFloat) return std::nullopt;
        numbers.push_back(element->integer);
    }
    return numbers;
}

std::optional<std::int64_t> NodeFacts::integer(std::size_t input)
{
    const auto numbers = integers(input);
    return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<double> NodeFacts::real(std::size_t input)
{
    const PartialTensor& tensor = content(input);
    if (!tensor.complete() || tensor.elements.size() != 1) return std::nullopt;
    return tensor.elements.front()->asReal();
}

std::int64_t NodeFacts::attribute(std::string_view name, std::int64_t fallback) const
{
    return attributeOr<std::int64_t>(m_node, name, fallback);
}

std::string NodeFacts::textAttribute(std::string_view name, const char* fallback) const
{
    return attributeOr<std::string>(m_node, name, fallback);
}

const std::vector<std::int64_t>* NodeFacts::integersAttribute(std::string_view name) const
{
    return findAttribute<std::vector<std::int64_t>>(m_node, name);
}

NodeFacts::Setting NodeFacts::setting(std::string_view name, std::size_t input)
{
    if (const auto* numbers = integersAttribute(name)) return {true, true, *numbers};
    if (const auto* number = findAttribute<std::int64_t>(m_node, name)) return {true, true, {*number}};
    if (!has(input)) return {};
    if (auto numbers = integers(input)) return {true, true, std::move(*numbers)};
    return {true, false, {}};
}

void NodeFacts::set(std::size_t output, DType dtype, const std::optional<Dims>& dims, Message because)
{
    setType(output, tensorOf(dtype, dims), std::move(because));
}

void NodeFacts::setType(std::size_t output, TensorType type, Message because)
{
    if (output >= m_outputs.size()) return;
    m_outputs[output].type = std::move(type);
    m_outputs[output].because = std::move(because);
}

Status NodeFacts::give(DType dtype, const std::optional<Dims>& dims, Message because)
{
    return give(tensorOf(dtype, dims), std::move(because));
}

Status NodeFacts::give(TensorType type, Message because)
{
    setType(0, std::move(type), std::move(because));
    return {};
}

PartialTensor* NodeFacts::start(std::size_t output)
{
    if (output >= m_outputs.size()) return nullptr;
    OutputFacts& facts = m_outputs[output];
    const auto shape = facts.type.shape();
    const DType dtype = facts.type.dtype;
    if (!shape || facts.type.kind != TypeKind::Tensor || !isTracked(dtype)) return nullptr;
    const auto count = elementCount(*shape);
    if (!count || *count > (isFloatingPoint(dtype) ? RealLimit : PartialTensor::Limit)) return nullptr;
    facts.content = {dtype, *shape, {}, true};
    facts.content.elements.resize(static_cast<std::size_t>(*count));
    return &facts.content;
}

const TensorType& NodeFacts::wanted(std::size_t output) const
{
    const bool named = output < m_node.outputs.size() && m_node.outputs[output].valid();
    return named ? m_source.wanted(m_node.outputs[output]) : AbsentType;
}

void NodeFacts::require(std::size_t input, DType dtype, const std::optional<Dims>& dims)
{
    if (has(input)) m_requirements.push_back({input, tensorOf(dtype, dims)});
}

Error NodeFacts::error(Message message) const
{
    return {ErrorCode::BadInput, std::move(message), "node '" + m_node.name + "' (" + qualifiedOp(m_node) + ")", {}};
}

} // namespace plimsoll
