#include "kernels/run/control/scan_slices.h"

#include "kernels/run/step/comparison.h"
#include "kernels/run/step/element_values.h"

#include <cstring>

namespace plimsoll::kernels {
namespace {

std::int64_t product(const Shape& shape, std::size_t begin, std::size_t end)
{
    std::int64_t result = 1;
    for (std::size_t i = begin; i < end; ++i)
        result *= shape[i];
    return result;
}

/// Blocks of consecutive elements: a slice is every count-th of them.
struct Blocks
{
    std::int64_t outer = 1;
    std::int64_t count = 1;
    std::int64_t inner = 1;
};

Error badSlices(Message message)
{
    return {ErrorCode::BadInput, std::move(message), {}, {}};
}

Result<std::size_t> normalAxis(std::int64_t axis, std::size_t rank)
{
    const auto size = static_cast<std::int64_t>(rank);
    const std::int64_t normal = axis < 0 ? axis + size : axis;
    if (normal < 0 || normal >= size) return badSlices(say("loop.no-axis", word::Number {axis}, word::Number {rank}));
    return static_cast<std::size_t>(normal);
}

Status requireWholeBytes(DType dtype)
{
    if (dtype == DType::String || dtypeBits(dtype) >= 8) return {};
    return Error {ErrorCode::Unsupported, say("loop.sub-byte", dtypeName(dtype)), {}, {}};
}

std::int64_t place(const SliceLayout& layout, std::int64_t count, std::int64_t index)
{
    return layout.reverse ? count - 1 - index : index;
}

Shape stackedShape(const Shape& slice, const SliceLayout& layout, std::size_t axis)
{
    Shape shape = slice;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), layout.prefix.begin(), layout.prefix.end());
    return shape;
}

/// Writes one slice into its place of the whole.
Status putSlice(const TensorView& slice, const TensorView& whole, const SliceLayout& layout, std::int64_t index)
{
    PLIMSOLL_TRY(requireWholeBytes(whole.dtype));
    PLIMSOLL_ASSIGN(axis, normalAxis(layout.axis, slice.shape.size() + 1));
    const Blocks blocks {product(slice.shape, 0, axis), product(layout.prefix, 0, layout.prefix.size()),
                         product(slice.shape, axis, slice.shape.size())};
    if (whole.dtype != slice.dtype || whole.shape != stackedShape(slice.shape, layout, axis)) {
        return badSlices(say("loop.slice-misfit", describe(slice.shape), describe(whole.shape)));
    }
    if (index < 0 || index >= blocks.count) return badSlices(say("loop.more-iterations"));
    const std::int64_t at = place(layout, blocks.count, index);
    for (std::int64_t o = 0; o < blocks.outer; ++o) {
        copyElements(slice, o * blocks.inner, whole, (o * blocks.count + at) * blocks.inner, blocks.inner);
    }
    return {};
}

void clear(const TensorView& tensor)
{
    if (tensor.dtype == DType::String) {
        for (std::int64_t i = 0; i < tensor.elements(); ++i)
            tensor.as<std::string>()[i].clear();
    } else if (tensor.bytes() > 0) {
        std::memset(tensor.data, 0, static_cast<std::size_t>(tensor.bytes()));
    }
}

} // namespace

Status takeSlice(Memory& memory, const RuntimeValue& source, const SliceLayout& layout, std::int64_t index,
                 ValueId target)
{
    const TensorView& whole = source.tensor;
    PLIMSOLL_TRY(requireWholeBytes(whole.dtype));
    PLIMSOLL_ASSIGN(axis, normalAxis(layout.axis, whole.shape.size()));
    const std::size_t end = axis + layout.prefix.size();
    if (end > whole.shape.size()) return badSlices(say("loop.few-dimensions"));
    const Blocks blocks {product(whole.shape, 0, axis), product(whole.shape, axis, end),
                         product(whole.shape, end, whole.shape.size())};
    if (index < 0 || index >= blocks.count) return badSlices(say("loop.few-slices"));
    Shape shape = whole.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.begin() + static_cast<std::ptrdiff_t>(end));
    PLIMSOLL_ASSIGN(slice, memory.produce(target, whole.dtype, shape));
    const std::int64_t at = place(layout, blocks.count, index);
    for (std::int64_t o = 0; o < blocks.outer; ++o) {
        copyElements(whole, (o * blocks.count + at) * blocks.inner, slice, o * blocks.inner, blocks.inner);
    }
    return {};
}

Stack::Stack(Run& run, ValueId target, SliceLayout layout) : m_run(run), m_target(target), m_layout(std::move(layout))
{
}

Status Stack::begin(bool zeroed)
{
    const Value& info = m_run.planned.graph()[m_target];
    const auto shape = info.type.shape();
    m_inPlace = info.type.kind == TypeKind::Tensor && shape && info.type.bytes() && info.type.dtype != DType::String;
    if (!m_inPlace) return {};
    for (Memory* memory : std::initializer_list<Memory*> {&m_run.oracle, &m_run.planned}) {
        PLIMSOLL_ASSIGN(whole, memory->produce(m_target, info.type.dtype, *shape));
        if (zeroed) clear(whole);
    }
    if (!zeroed && m_layout.prefix.size() == 1) {
        PLIMSOLL_ASSIGN(axis, normalAxis(m_layout.axis, shape->size()));
        m_layout.prefix[0] = (*shape)[axis];
    }
    return {};
}

Status Stack::add(ValueId slice, std::int64_t index)
{
    checkRead(m_run, slice);
    m_indexes.push_back(index);
    const RuntimeValue& oracle = m_run.oracle.value(slice);
    const RuntimeValue& planned = m_run.planned.value(slice);
    if (!m_inPlace) {
        m_oracleSlices.push_back(cloneValue(oracle));
        m_plannedSlices.push_back(cloneValue(planned));
        return {};
    }
    if (oracle.kind != RuntimeValue::Kind::Tensor) return badSlices(say("loop.no-tensor"));
    PLIMSOLL_TRY(putSlice(oracle.tensor, m_run.oracle.value(m_target).tensor, m_layout, index));
    return timed(m_run,
                 [&] { return putSlice(planned.tensor, m_run.planned.value(m_target).tensor, m_layout, index); });
}

/// Of a tensor that has its bytes from the Enter on.
Status Stack::clearRest()
{
    const TensorView& whole = m_run.oracle.value(m_target).tensor;
    PLIMSOLL_ASSIGN(axis, normalAxis(m_layout.axis, whole.shape.size()));
    const Blocks blocks {product(whole.shape, 0, axis), m_layout.prefix[0],
                         product(whole.shape, axis + 1, whole.shape.size())};
    const auto from = static_cast<std::int64_t>(m_indexes.size());
    const std::int64_t first = m_layout.reverse ? 0 : from;
    const std::int64_t rest = blocks.count - from;
    const std::int64_t width = blocks.inner * (dtypeBits(whole.dtype) / 8);
    for (Memory* memory : std::initializer_list<Memory*> {&m_run.oracle, &m_run.planned}) {
        auto* const bytes = memory->value(m_target).tensor.as<std::byte>();
        for (std::int64_t o = 0; o < blocks.outer && rest * width > 0; ++o)
            std::memset(bytes + (o * blocks.count + first) * width, 0, static_cast<std::size_t>(rest * width));
    }
    return {};
}

Status Stack::finish(bool asSequence, bool cut)
{
    const auto added = static_cast<std::int64_t>(m_indexes.size());
    if (m_inPlace) {
        if (cut && m_layout.prefix.size() == 1)
            PLIMSOLL_TRY(clearRest());
        else if (m_layout.prefix.size() == 1 && added != m_layout.prefix[0]) {
            return badSlices(say("loop.other-count", word::Number {added}, word::Number {m_layout.prefix[0]}));
        }
        checkWritten(m_run, m_target);
        return {};
    }
    if (m_layout.prefix.size() == 1) m_layout.prefix[0] = added;
    return writeBoth(m_run, m_target, [&](Memory& memory) {
        const auto& slices = &memory == &m_run.oracle ? m_oracleSlices : m_plannedSlices;
        return asSequence ? finishSequence(memory, slices) : finishTensor(memory, slices);
    });
}

Status Stack::finishTensor(Memory& memory, const std::vector<RuntimeValue>& slices) const
{
    const TensorType& type = m_run.planned.graph()[m_target].type;
    if (slices.empty()) {
        Shape shape;
        for (const Dim& dim : type.dims.value_or(DimList {{0, {}}}))
            shape.push_back(dim.known() ? dim.size : 0);
        PLIMSOLL_ASSIGN(none,
                        memory.produce(m_target, type.dtype == DType::Unknown ? DType::Float32 : type.dtype, shape));
        clear(none);
        return {};
    }
    if (slices.front().kind != RuntimeValue::Kind::Tensor) return badSlices(say("loop.no-tensor"));
    const TensorView& first = slices.front().tensor;
    PLIMSOLL_ASSIGN(axis, normalAxis(m_layout.axis, first.shape.size() + 1));
    PLIMSOLL_ASSIGN(whole, memory.produce(m_target, first.dtype, stackedShape(first.shape, m_layout, axis)));
    for (std::size_t i = 0; i < slices.size(); ++i) {
        PLIMSOLL_TRY(putSlice(slices[i].tensor, whole, m_layout, m_indexes[i]));
    }
    return {};
}

Status Stack::finishSequence(Memory& memory, const std::vector<RuntimeValue>& slices) const
{
    RuntimeValue sequence;
    sequence.kind = RuntimeValue::Kind::Sequence;
    sequence.sequenceDtype = m_run.planned.graph()[m_target].type.dtype;
    for (const RuntimeValue& slice : slices)
        sequence.sequence.push_back(cloneTensor(slice.tensor));
    if (!slices.empty()) sequence.sequenceDtype = slices.front().tensor.dtype;
    memory.set(m_target, std::move(sequence));
    return {};
}

} // namespace plimsoll::kernels
