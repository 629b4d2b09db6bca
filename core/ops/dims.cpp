#include "core/ops/dims.h"

#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll {

TensorType tensorOf(DType dtype, const std::optional<Dims>& dims)
{
    TensorType type;
    type.dtype = dtype;
    if (!dims) return type;
    type.dims.emplace();
    for (const std::int64_t size : *dims)
        type.dims->push_back({size < 0 ? UnknownSize : size, {}});
    return type;
}

std::optional<Dims> dimsOf(const TensorType& type)
{
    if (type.kind != TypeKind::Tensor || !type.dims) return std::nullopt;
    Dims dims;
    for (const Dim& dim : *type.dims)
        dims.push_back(dim.known() ? dim.size : UnknownSize);
    return dims;
}

bool allKnown(const Dims& dims)
{
    return std::ranges::all_of(dims, [](std::int64_t size) { return size >= 0; });
}

std::optional<std::int64_t> countOf(const Dims& dims)
{
    if (std::ranges::find(dims, 0) != dims.end()) return 0;
    if (!allKnown(dims)) return UnknownSize;
    SafeInt count = 1;
    for (const std::int64_t size : dims)
        count = count * size;
    return count.get();
}

std::optional<std::int64_t> broadcastSize(std::int64_t a, std::int64_t b)
{
    if (a == b) return a;
    if (a == 1) return b;
    if (b == 1) return a;
    if (a < 0) return b;
    if (b < 0) return a;
    return std::nullopt;
}

std::optional<Dims> broadcast(const Dims& a, const Dims& b)
{
    const Dims& longer = a.size() >= b.size() ? a : b;
    const Dims& shorter = a.size() >= b.size() ? b : a;
    Dims result = longer;
    const std::size_t shift = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        const auto size = broadcastSize(longer[shift + i], shorter[i]);
        if (!size) return std::nullopt;
        result[shift + i] = *size;
    }
    return result;
}

std::int64_t sizeAt(const std::optional<Dims>& dims, std::size_t axis)
{
    return dims && axis < dims->size() ? (*dims)[axis] : UnknownSize;
}

std::optional<std::int64_t> sameSize(std::int64_t a, std::int64_t b)
{
    if (a < 0) return b;
    if (b < 0 || a == b) return a;
    return std::nullopt;
}

std::optional<std::size_t> normalAxis(std::int64_t axis, std::size_t rank)
{
    const auto size = static_cast<std::int64_t>(rank);
    if (axis < -size || axis >= size) return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

TensorType mergedType(const TensorType& a, const TensorType& b)
{
    TensorType merged = a;
    if (a.kind != b.kind) return TensorType {.kind = TypeKind::Opaque};
    if (a.dtype != b.dtype) merged.dtype = DType::Unknown;
    if (!a.dims || !b.dims || a.dims->size() != b.dims->size()) {
        merged.dims.reset();
        return merged;
    }
    for (std::size_t i = 0; i < a.dims->size(); ++i) {
        if ((*a.dims)[i].size != (*b.dims)[i].size) (*merged.dims)[i] = Dim {};
    }
    return merged;
}

std::vector<std::int64_t> denseStrides(const Shape& shape)
{
    if (elementCount(shape).value_or(0) == 0) return std::vector<std::int64_t>(shape.size(), 0);
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i > 1; --i)
        strides[i - 2] = strides[i - 1] * shape[i - 1];
    return strides;
}

std::vector<std::int64_t> stridedOffsets(const Shape& out, const std::vector<std::int64_t>& strides, std::int64_t start)
{
    const auto count = static_cast<std::size_t>(elementCount(out).value_or(0));
    std::vector<std::int64_t> offsets(count);
    std::vector<std::int64_t> index(out.size(), 0);
    std::int64_t offset = start;
    for (std::size_t i = 0; i < count; ++i) {
        offsets[i] = offset;
        for (std::size_t axis = out.size(); axis-- > 0;) {
            offset += strides[axis];
            if (++index[axis] < out[axis]) break;
            offset -= strides[axis] * out[axis];
            index[axis] = 0;
        }
    }
    return offsets;
}

std::vector<std::int64_t> broadcastOffsets(const Shape& from, const Shape& out)
{
    const std::vector<std::int64_t> dense = denseStrides(from);
    std::vector<std::int64_t> strides(out.size(), 0);
    const std::size_t shift = out.size() - from.size();
    for (std::size_t i = 0; i < from.size(); ++i)
        strides[shift + i] = from[i] == 1 ? 0 : dense[i];
    return stridedOffsets(out, strides);
}

} // namespace plimsoll
