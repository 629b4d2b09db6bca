#include "core/ops/rules/shape_search.h"

#include "core/ops/literal_elements.h"

namespace plimsoll {

DType ShapeSearch::dtype(std::size_t input) const
{
    return has(input) ? m_graph[id(input)].type.dtype : DType::Unknown;
}

std::optional<Dims> ShapeSearch::dims(std::size_t input) const
{
    return has(input) ? dimsOf(m_graph[id(input)].type) : std::nullopt;
}

std::optional<Dims> ShapeSearch::outDims(std::size_t output) const
{
    const bool there = output < m_node.outputs.size() && m_node.outputs[output].valid();
    return there ? dimsOf(m_graph[m_node.outputs[output]].type) : std::nullopt;
}

std::int64_t ShapeSearch::outSize(std::int64_t axis, std::int64_t otherwise, std::size_t output) const
{
    const auto dims = outDims(output);
    const auto at = dims ? normalAxis(axis, dims->size()) : std::nullopt;
    return at && (*dims)[*at] >= 0 ? (*dims)[*at] : otherwise;
}

std::size_t ShapeSearch::count(std::size_t input) const
{
    const auto shape = has(input) ? m_graph[id(input)].type.shape() : std::nullopt;
    const auto count = shape ? elementCount(*shape) : std::nullopt;
    return count && *count <= PartialTensor::Limit ? static_cast<std::size_t>(*count) : 0;
}

std::int64_t ShapeSearch::attribute(std::string_view name, std::int64_t fallback) const
{
    return attributeOr<std::int64_t>(m_node, name, fallback);
}

std::optional<Dims> ShapeSearch::given(std::size_t input) const
{
    if (!has(input) || open(input)) return std::nullopt;
    const Value& value = m_graph[id(input)];
    const PartialTensor known = readElements(value.type.dtype, value.type.shape().value_or(Shape {}), value.data);
    if (!known.complete() || !isInteger(known.dtype)) return std::nullopt;
    Dims numbers;
    for (const auto& element : known.elements)
        numbers.push_back(element->integer);
    return numbers;
}

void ShapeSearch::want(std::size_t input, const Dims& numbers)
{
    std::vector<std::optional<Scalar>> elements;
    for (const std::int64_t number : numbers)
        elements.emplace_back(Scalar::ofInteger(number));
    wantElements(input, std::move(elements));
}

void ShapeSearch::wantReals(std::size_t input, const std::vector<double>& numbers)
{
    std::vector<std::optional<Scalar>> elements;
    for (const double number : numbers)
        elements.emplace_back(Scalar::ofReal(number));
    wantElements(input, std::move(elements));
}

void ShapeSearch::wantAll(std::size_t input, std::int64_t number)
{
    want(input, Dims(count(input), number));
}

ValueId ShapeSearch::id(std::size_t input) const
{
    return input < m_node.inputs.size() ? m_node.inputs[input] : ValueId {};
}

void ShapeSearch::wantElements(std::size_t input, std::vector<std::optional<Scalar>> elements)
{
    if (open(input) && !elements.empty() && count(input) == elements.size())
        m_found.push_back({input, std::move(elements)});
}

} // namespace plimsoll
