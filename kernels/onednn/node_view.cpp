#include "kernels/onednn/layouts.h"
#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace plimsoll::kernels::onednn {

bool NodeView::hasInput(std::size_t index) const
{
    return index < m_node.inputs.size() && m_node.inputs[index].valid();
}

bool NodeView::hasOutput(std::size_t index) const
{
    return index < m_node.outputs.size() && m_node.outputs[index].valid();
}

std::optional<Shape> NodeView::floatShape(ValueId value) const
{
    const TensorType& type = m_graph[value].type;
    const auto shape = type.shape();
    if (type.kind != TypeKind::Tensor || type.dtype != DType::Float32 || !shape) return std::nullopt;
    const bool empty = std::find(shape->begin(), shape->end(), 0) != shape->end();
    return empty || !type.bytes() || shape->size() > DNNL_MAX_NDIMS ? std::nullopt : shape;
}

std::optional<Shape> NodeView::input(std::size_t index) const
{
    return hasInput(index) ? floatShape(m_node.inputs[index]) : std::nullopt;
}

std::optional<Shape> NodeView::output(std::size_t index) const
{
    return hasOutput(index) ? floatShape(m_node.outputs[index]) : std::nullopt;
}

std::int64_t NodeView::integer(std::string_view name, std::int64_t fallback) const
{
    return attributeOr<std::int64_t>(m_node, name, fallback);
}

double NodeView::real(std::string_view name, double fallback) const
{
    return attributeOr<double>(m_node, name, fallback);
}

std::string NodeView::text(std::string_view name, std::string fallback) const
{
    return attributeOr<std::string>(m_node, name, std::move(fallback));
}

std::vector<std::int64_t> NodeView::integers(std::string_view name, std::vector<std::int64_t> fallback) const
{
    return attributeOr<std::vector<std::int64_t>>(m_node, name, std::move(fallback));
}

const Value* NodeView::constant(std::size_t index, DType dtype) const
{
    if (!hasInput(index)) return nullptr;
    const Value& value = m_graph[m_node.inputs[index]];
    const bool fits =
        value.role == ValueRole::Constant && value.data.bytes && value.type.dtype == dtype && value.type.bytes();
    return fits && static_cast<std::int64_t>(value.data.bytes->size()) >= *value.type.bytes() ? &value : nullptr;
}

std::optional<std::vector<std::int64_t>> NodeView::constantIntegers(std::size_t index) const
{
    const Value* value = constant(index, DType::Int64);
    if (!value) return std::nullopt;
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(*value->type.bytes()) / sizeof(std::int64_t));
    if (!numbers.empty()) std::memcpy(numbers.data(), value->data.bytes->data(), numbers.size() * sizeof(std::int64_t));
    return numbers;
}

std::optional<float> NodeView::constantFloat(std::size_t index) const
{
    const Value* value = constant(index, DType::Float32);
    if (!value || value->type.bytes() != sizeof(float)) return std::nullopt;
    float number = 0;
    std::memcpy(&number, value->data.bytes->data(), sizeof number);
    return number;
}

namespace {

dnnl::memory::desc inLayout(const std::vector<std::string>& wishes, std::size_t index, const Shape& readAs)
{
    if (index >= wishes.size() || wishes[index] == PlainLayout) return denseLayout(readAs);
    if (wishes[index] == AnyLayout) return {readAs, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
    const auto named = descriptionOf(wishes[index], readAs);
    if (!named) throw std::invalid_argument("no layout " + wishes[index]);
    return *named;
}

} // namespace

dnnl::memory::desc NodeView::inputLayout(std::size_t index, const Shape& readAs) const
{
    return inLayout(m_wish.inputs, index, readAs);
}

dnnl::memory::desc NodeView::outputLayout(std::size_t index, const Shape& readAs) const
{
    return inLayout(m_wish.outputs, index, readAs);
}

bool NodeView::wantsPlain(std::size_t input) const
{
    return input >= m_wish.inputs.size() || m_wish.inputs[input] == PlainLayout;
}

bool NodeView::isWeight(std::size_t index) const
{
    if (!hasInput(index)) return false;
    const ValueRole role = m_graph[m_node.inputs[index]].role;
    return role == ValueRole::Parameter || role == ValueRole::Constant;
}

Shape denseStrides(const Shape& shape)
{
    Shape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

dnnl::memory::desc stridedLayout(const Shape& shape, const Shape& strides)
{
    if (shape.empty()) return {{1}, dnnl::memory::data_type::f32, dnnl::memory::dims {1}};
    return {shape, dnnl::memory::data_type::f32, strides};
}

dnnl::memory::desc denseLayout(const Shape& shape)
{
    return stridedLayout(shape, denseStrides(shape));
}

dnnl::primitive_attr userScratchpad()
{
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

} // namespace plimsoll::kernels::onednn
