#include "core/ops/rules/shape_search.h"

#include "core/ops/literal_elements.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <numeric>

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
    const PartialTensor known = readElements(value.type.dtype, value.type.shape().value_or(Shape {}), *value.data);
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

void ShapeSearch::wantSizes(std::size_t input)
{
    Dims sizes = outDims().value_or(Dims(count(input), 1));
    std::ranges::replace(sizes, UnknownSize, std::int64_t {1});
    want(input, sizes);
}

void ShapeSearch::wantFirst(std::size_t input, std::int64_t size)
{
    Dims numbers(count(input), 0);
    for (std::size_t i = 0; i < numbers.size() && static_cast<std::int64_t>(i) < size; ++i)
        numbers[i] = 1;
    if (size >= 0 && size <= static_cast<std::int64_t>(numbers.size())) want(input, numbers);
}

void ShapeSearch::boundIndices(std::size_t input, std::int64_t axis)
{
    const auto from = dims(0);
    const auto at = from ? normalAxis(axis, from->size()) : std::nullopt;
    if (at && (*from)[*at] >= 0 && (*from)[*at] < 2) wantAll(input, 0);
}

void ShapeSearch::boundIndicesOfAll(std::size_t input)
{
    const auto from = dims(0);
    if (from && std::ranges::any_of(*from, [](std::int64_t size) { return size >= 0 && size < 2; })) wantAll(input, 0);
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

Dims firstNumbers(std::size_t count)
{
    Dims numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

Dims changingAxes(const std::optional<Dims>& from, const std::optional<Dims>& to, std::size_t count)
{
    Dims axes;
    const bool known = from && to && from->size() == to->size();
    for (const bool changing : {true, false}) {
        for (std::size_t i = 0; axes.size() < count && i < (known ? to->size() : count); ++i) {
            const bool changes = !known || (*from)[i] != (*to)[i];
            if (changes == changing) axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    std::ranges::sort(axes);
    return axes;
}

Dims leftOut(const std::optional<Dims>& more, const std::optional<Dims>& fewer, std::size_t count, bool ones)
{
    Dims axes;
    if (!more || !fewer) return firstNumbers(count);
    std::size_t next = 0;
    for (std::size_t i = 0; i < more->size(); ++i) {
        const bool may = !ones || (*more)[i] == 1 || (*more)[i] == UnknownSize;
        const bool same = next < fewer->size() && (*more)[i] == (*fewer)[next];
        if (axes.size() < count && may && (!same || next == fewer->size()))
            axes.push_back(static_cast<std::int64_t>(i));
        else
            ++next;
    }
    return axes.size() == count ? axes : firstNumbers(count);
}

std::vector<InputContent> shapeInputs(const Graph& graph, NodeId id)
{
    const OpSchema* schema = findSchema(graph[id].domain, graph[id].op);
    ShapeSearch search(graph, id);
    if (schema && schema->contents) schema->contents(search);
    return search.take();
}

} // namespace plimsoll
