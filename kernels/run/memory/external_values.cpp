#include "kernels/run/memory/external_values.h"

#include "core/formats/files/tensor_data.h"
#include "core/lower/types/solve_inputs.h"
#include "core/ops/literal_elements.h"
#include "kernels/run/memory/host_memory.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace plimsoll::kernels {
namespace {

Error broken(const std::string& what, Message message)
{
    return {ErrorCode::BadInput, std::move(message), what, {}};
}

/// The view only ever reads: nothing writes external values.
RuntimeValue sharedView(DType dtype, const Shape& shape, const void* bytes, std::shared_ptr<const void> keep)
{
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    value.tensor = {dtype, shape, const_cast<void*>(bytes)};
    value.owner = std::const_pointer_cast<void>(std::move(keep));
    return value;
}

} // namespace

Result<RuntimeValue> loadTensor(DType dtype, const Shape& shape, const TensorData& data, const std::string& what)
{
    const auto count = elementCount(shape);
    if (!count) return broken(what, say("data.no-size", describe(shape)));
    if (dtype == DType::String) {
        const auto have = data.strings ? static_cast<std::int64_t>(data.strings->size()) : 0;
        if (have != *count) return broken(what, say("data.string-count", word::Number {have}, word::Number {*count}));
        return sharedView(dtype, shape, *count > 0 ? data.strings->data() : nullptr, data.strings);
    }
    const auto bytes = denseBytes(dtype, shape);
    if (!bytes) return broken(what, say("data.type-no-size", std::string(dtypeName(dtype)) + describe(shape)));
    if (data.bytes) {
        if (static_cast<std::int64_t>(data.bytes->size()) < *bytes) {
            return broken(what, say("data.bytes", word::Number {data.bytes->size()}, word::Number {*bytes}));
        }
        return sharedView(dtype, shape, data.bytes->data(), data.bytes);
    }
    if (*bytes == 0) return tensorValue(HostTensor(dtype, shape));
    if (data.file.empty()) return broken(what, say("data.none"));
    PLIMSOLL_ASSIGN(tensor, allocateTensor(dtype, shape));
    TensorData exact = data;
    exact.fileBytes = std::min(data.fileBytes, *bytes);
    const auto room = std::span(tensor.view().as<std::byte>(), static_cast<std::size_t>(*bytes));
    if (Status status = loadBytesInto(exact, room); !status.ok()) {
        Error error = status.error();
        if (error.where.empty()) error.where = what;
        return error;
    }
    return tensorValue(std::move(tensor));
}

ExternalValues::ExternalValues(const Graph& graph, std::map<ValueId, RuntimeValue> given, std::uint64_t seed,
                               DeviceSpaces spaces)
    : m_graph(graph), m_values(graph.values.size()), m_loaded(graph.values.size(), false), m_seed(seed),
      m_spaces(std::move(spaces))
{
    for (auto& [id, value] : given)
        put(id, std::move(value));
}

Status ExternalValues::load(ValueId value)
{
    if (!value.valid()) return {};
    PLIMSOLL_TRY(loadOnHost(value));
    return bringToDevice(value);
}

Status ExternalValues::loadOnHost(ValueId value)
{
    if (m_loaded[value.index()]) return {};
    const Value& info = m_graph[value];
    if (info.data->present()) {
        const auto shape = info.type.shape();
        if (!shape) return broken("value '" + info.name + "'", say("data.no-shape"));
        PLIMSOLL_ASSIGN(loaded, loadTensor(info.type.dtype, *shape, *info.data, "value '" + info.name + "'"));
        auto held = asHeld(std::move(loaded), info.type);
        if (!held.ok()) return broken("value '" + info.name + "'", held.error().message);
        put(value, std::move(held).value());
    } else if (info.role == ValueRole::Input || info.role == ValueRole::Parameter) {
        PLIMSOLL_ASSIGN(drawn, draw(value));
        put(value, std::move(drawn));
        m_drawn.push_back(value);
    } else if (info.role == ValueRole::Constant && info.type.bytes() == 0) {
        PLIMSOLL_ASSIGN(empty,
                        loadTensor(info.type.dtype, *info.type.shape(), *info.data, "value '" + info.name + "'"));
        put(value, std::move(empty));
    }
    return {};
}

const RuntimeValue* ExternalValues::find(ValueId value) const
{
    return m_loaded[value.index()] ? &m_values[value.index()] : nullptr;
}

Status ExternalValues::bringToDevice(ValueId value)
{
    Device* const device = m_spaces.of(value);
    const RuntimeValue* const held = device ? find(value) : nullptr;
    if (!held || m_onDevice.contains(value)) return {};
    PLIMSOLL_ASSIGN(copy, allocateOn(*device, held->tensor.dtype, held->tensor.shape));
    PLIMSOLL_TRY(copyToDevice(*device, held->tensor, copy.tensor));
    m_onDevice.emplace(value, std::move(copy));
    return {};
}

const RuntimeValue* ExternalValues::findForReaders(ValueId value) const
{
    const auto copy = m_onDevice.find(value);
    return copy == m_onDevice.end() ? find(value) : &copy->second;
}

void ExternalValues::put(ValueId value, RuntimeValue content)
{
    m_values[value.index()] = std::move(content);
    m_loaded[value.index()] = true;
}

Result<TensorView> ExternalValues::literal(const TensorLiteral& literal)
{
    const auto known = m_literals.find(&literal);
    if (known != m_literals.end()) return known->second.tensor;
    PLIMSOLL_ASSIGN(loaded, loadTensor(literal.dtype, literal.shape, literal.data, "a tensor attribute"));
    return m_literals.emplace(&literal, std::move(loaded)).first->second.tensor;
}

const PartialTensor* ExternalValues::solved(ValueId value)
{
    if (!m_solved) m_solved = solveInputs(m_graph);
    const auto found = m_solved->find(value);
    return found == m_solved->end() ? nullptr : &found->second;
}

Result<RuntimeValue> ExternalValues::draw(ValueId value)
{
    const Value& info = m_graph[value];
    if (info.type.kind == TypeKind::Optional || info.type.kind == TypeKind::Opaque) return RuntimeValue {};
    Shape shape;
    for (const Dim& dim : info.type.dims.value_or(DimList {}))
        shape.push_back(dim.known() ? dim.size : 1);
    const DType dtype = info.type.dtype == DType::Unknown ? DType::Float32 : info.type.dtype;
    Digest seed(m_seed);
    seed.add(std::string_view(info.name));
    if (info.type.isSparse() && info.type.shape()) return drawSparse(info.type, seed.value());
    PLIMSOLL_ASSIGN(tensor, allocateTensor(dtype, shape));
    fillFromSeed(tensor.view(), seed.value());
    if (const PartialTensor* const content = solved(value); content && info.type.kind == TypeKind::Tensor) {
        const auto width = static_cast<std::size_t>(dtypeBits(dtype) / 8);
        const TensorData known = writeElements(*content);
        for (std::size_t i = 0; i < content->elements.size() && (i + 1) * width <= known.bytes->size(); ++i) {
            if (content->elements[i])
                std::memcpy(tensor.view().as<std::byte>() + i * width, known.bytes->data() + i * width, width);
        }
        m_chosen.push_back(value);
    }
    if (info.type.kind == TypeKind::Tensor) return tensorValue(std::move(tensor));
    RuntimeValue sequence;
    sequence.kind = RuntimeValue::Kind::Sequence;
    sequence.sequenceDtype = dtype;
    sequence.sequence.push_back(std::move(tensor));
    return sequence;
}

} // namespace plimsoll::kernels
