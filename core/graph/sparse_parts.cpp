#include "core/graph/sparse_parts.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::int64_t NumberBytes = 8; // of a row, a column or a count

bool canBeSparse(StorageType storage, DType dtype, const Shape& shape)
{
    const bool rankFits = storage == StorageType::Csr ? shape.size() == 2 : !shape.empty();
    const int bits = dtypeBits(dtype);
    return storage != StorageType::Dense && rankFits && bits >= 8 && bits % 8 == 0 && elementCount(shape);
}

} // namespace

Message whyNotSparse(const TensorType& type)
{
    if (!type.isSparse()) return {};
    if (type.kind != TypeKind::Tensor) return say("sparse.no-tensor");
    if (type.dims && type.storage == StorageType::Csr && type.dims->size() != 2) return say("sparse.no-matrix");
    if (type.dims && type.dims->empty()) return say("sparse.no-rows");
    if (type.dtype != DType::Unknown && dtypeBits(type.dtype) < 8) return say("sparse.part-bytes");
    return {};
}

std::optional<std::int64_t> storableCount(StorageType storage, const Shape& shape)
{
    if (shape.empty()) return std::nullopt;
    return storage == StorageType::Csr ? elementCount(shape) : std::optional(shape.front());
}

std::optional<SparseParts> sparseParts(StorageType storage, DType dtype, const Shape& shape, std::int64_t maxStored)
{
    if (!canBeSparse(storage, dtype, shape) || maxStored < 0) return std::nullopt;
    const std::int64_t width = dtypeBits(dtype) / 8;
    SparseParts parts;
    parts.room = std::min(maxStored, *storableCount(storage, shape));
    const bool csr = storage == StorageType::Csr;
    parts.unit = csr ? 1 : elementCount({shape.begin() + 1, shape.end()}).value_or(0);
    const auto ends = csr ? checkedAdd(shape.front(), 1) : std::optional<std::int64_t>(1);
    const auto counts = ends ? checkedMultiply(*ends, NumberBytes) : std::nullopt;
    const auto numbers = checkedMultiply(parts.room, NumberBytes);
    const auto elements = checkedMultiply(parts.room, parts.unit);
    const auto values = elements ? checkedMultiply(*elements, width) : std::nullopt;
    const auto begin = counts && numbers ? checkedAdd(*counts, *numbers) : std::nullopt;
    const auto end = begin && values ? checkedAdd(*begin, *values) : std::nullopt;
    // Of complex128 the block ends half an element later.
    const auto whole = end ? checkedAlignUp(*end, width) : std::nullopt;
    if (!whole) return std::nullopt;
    parts.index = *counts;
    parts.values = *begin;
    parts.bytes = *whole;
    parts.elements = *whole / width;
    return parts;
}

std::optional<SparseParts> sparsePartsIn(std::int64_t elements, StorageType storage, DType dtype, const Shape& shape)
{
    const auto empty = sparseParts(storage, dtype, shape, 0);
    if (!empty || elements < empty->elements) return std::nullopt;
    const std::int64_t width = dtypeBits(dtype) / 8;
    const std::int64_t slot = NumberBytes + empty->unit * width;
    const auto parts = sparseParts(storage, dtype, shape, (elements * width - empty->index) / slot);
    return parts && parts->elements <= elements ? parts : std::nullopt;
}

void capStored(TensorType& type)
{
    const auto shape = type.shape();
    const auto most = type.isSparse() && shape ? storableCount(type.storage, *shape) : std::nullopt;
    if (most) type.maxStored = std::min(type.maxStored, *most);
}

} // namespace plimsoll
