#include "core/ops/reorder_node.h"
#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace plimsoll::kernels::onednn {
namespace {

template <typename Number>
std::vector<Number> numbersIn(std::span<const std::byte> bytes)
{
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
    return numbers;
}

template <typename Number>
std::vector<double> widened(std::span<const std::byte> bytes)
{
    const std::vector<Number> numbers = numbersIn<Number>(bytes);
    return {numbers.begin(), numbers.end()};
}

std::span<const std::byte> bytesOf(const Value& value)
{
    return std::span(*value.data->bytes).first(static_cast<std::size_t>(*value.type.bytes()));
}

} // namespace

NodeView::NodeView(const Graph& graph, NodeId node, Wish wish)
    : NodeView(graph, node, std::move(wish), graph.decided[node].fused)
{
    m_own = ownInputs(graph, node);
}

NodeView::NodeView(const Graph& graph, NodeId node, Wish wish, std::vector<FusedNode> fused)
    : m_graph(graph), m_node(graph[node]), m_wish(std::move(wish)), m_fused(std::move(fused)),
      m_operands(fusedOperands(graph, m_fused)), m_own(m_node.inputs.size())
{
    m_attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (hasInput(0)) m_dtype = inputType(0);
}

DType NodeView::outputType(std::size_t index) const
{
    return hasOutput(index) ? m_graph[m_node.outputs[index]].type.dtype : DType::Unknown;
}

ValueId NodeView::inputValue(std::size_t index) const
{
    if (index < m_own) return m_node.inputs[index];
    if (index - m_own >= m_operands.size()) return {};
    const FusedOperand& operand = m_operands[index - m_own];
    return m_graph[operand.node].inputs[static_cast<std::size_t>(operand.input)];
}

bool NodeView::isAddend(std::size_t index) const
{
    if (index < m_own || index - m_own >= m_operands.size()) return false;
    const NodeId reader = m_operands[index - m_own].node;
    const auto fused =
        std::find_if(m_fused.begin(), m_fused.end(), [reader](const auto& f) { return f.node == reader; });
    const auto operation = binaryOf(NodeView(m_graph, reader), static_cast<std::size_t>(fused->input));
    return operation && operation->kind == dnnl::algorithm::binary_add;
}

std::optional<Shape> NodeView::shapeOf(ValueId value) const
{
    const TensorType& type = m_graph[value].type;
    const auto shape = type.shape();
    const bool fits = isByte(m_dtype) ? typeOf(type.dtype) != dnnl::memory::data_type::undef : type.dtype == m_dtype;
    if (type.kind != TypeKind::Tensor || !fits || !shape) return std::nullopt;
    const bool empty = std::find(shape->begin(), shape->end(), 0) != shape->end();
    return empty || !type.bytes() || shape->size() > DNNL_MAX_NDIMS ? std::nullopt : shape;
}

std::optional<Shape> NodeView::input(std::size_t index) const
{
    const ValueId value = inputValue(index);
    return value.valid() ? shapeOf(value) : std::nullopt;
}

std::optional<Shape> NodeView::output(std::size_t index) const
{
    return hasOutput(index) ? shapeOf(m_node.outputs[index]) : std::nullopt;
}

const Value* NodeView::constant(std::size_t index, DType dtype) const
{
    if (!hasInput(index)) return nullptr;
    const Value& value = m_graph[m_node.inputs[index]];
    const bool fits =
        value.role == ValueRole::Constant && value.data->bytes && value.type.dtype == dtype && value.type.bytes();
    return fits && static_cast<std::int64_t>(value.data->bytes->size()) >= *value.type.bytes() ? &value : nullptr;
}

std::optional<std::vector<std::int64_t>> NodeView::constantIntegers(std::size_t index) const
{
    const Value* value = constant(index, DType::Int64);
    return value ? std::optional(numbersIn<std::int64_t>(bytesOf(*value))) : std::nullopt;
}

std::optional<std::vector<float>> NodeView::constantFloats(std::size_t index) const
{
    const Value* value = constant(index, DType::Float32);
    return value ? std::optional(numbersIn<float>(bytesOf(*value))) : std::nullopt;
}

std::optional<float> NodeView::constantFloat(std::size_t index) const
{
    const auto numbers = constantFloats(index);
    return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

std::span<const std::byte> NodeView::knownBytes(std::size_t index) const
{
    if (!isWeight(index)) return {};
    const Value& value = m_graph[beforePreparing(m_graph, inputValue(index))];
    const auto bytes = value.type.bytes();
    if (!value.data->bytes || !bytes || static_cast<std::int64_t>(value.data->bytes->size()) < *bytes) return {};
    return bytesOf(value);
}

std::optional<std::vector<double>> NodeView::knownNumbers(std::size_t index) const
{
    const std::span<const std::byte> bytes = knownBytes(index);
    if (bytes.empty()) return std::nullopt;
    switch (inputType(index)) {
    case DType::Float32:
        return widened<float>(bytes);
    case DType::Int32:
        return widened<std::int32_t>(bytes);
    case DType::Int8:
        return widened<std::int8_t>(bytes);
    case DType::UInt8:
        return widened<std::uint8_t>(bytes);
    default:
        return std::nullopt;
    }
}

dnnl::memory::desc NodeView::inLayout(const std::vector<std::string>& wishes, std::size_t index, const Seen& tensor)
{
    const std::string layout = index < wishes.size() ? wishes[index] : std::string(PlainLayout);
    if (layout == PlainLayout) return inRows(tensor.readAs, tensor.type);
    if (layout == AnyLayout) return {tensor.readAs, tensor.type, dnnl::memory::format_tag::any};
    const auto named = descriptionOf(layout, tensor.readAs, tensor.type);
    if (!named) throw std::invalid_argument("no layout " + layout);
    return *named;
}

bool NodeView::isWeight(std::size_t index) const
{
    const ValueId value = inputValue(index);
    if (!value.valid()) return false;
    const ValueRole role = m_graph[value].role;
    return role == ValueRole::Parameter || role == ValueRole::Constant;
}

Shape denseStrides(const Shape& shape)
{
    Shape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

dnnl::memory::desc NodeView::strided(const Shape& shape, const Shape& strides) const
{
    if (shape.empty()) return {{1}, type(), dnnl::memory::dims {1}};
    return {shape, type(), strides};
}

dnnl::memory::desc inRows(const Shape& shape, dnnl::memory::data_type type)
{
    if (shape.empty()) return {{1}, type, dnnl::memory::dims {1}};
    return {shape, type, denseStrides(shape)};
}

std::vector<std::size_t> scratchOffsets(const Recipe& recipe)
{
    constexpr std::size_t Alignment = 64;
    const auto after = [](std::size_t begin, std::size_t bytes) {
        return (begin + bytes + Alignment - 1) / Alignment * Alignment;
    };
    if (recipe.derived.empty()) return {recipe.scratchpad.get_size()};
    std::vector<std::size_t> offsets = {after(0, recipe.scratchpad.get_size())};
    for (const Derived& derived : recipe.derived)
        offsets.push_back(after(offsets.back(), derived.layout.get_size()));
    return offsets;
}

} // namespace plimsoll::kernels::onednn
