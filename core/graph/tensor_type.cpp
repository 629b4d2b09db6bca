#include "core/graph/tensor_type.h"

#include "core/base/bytes.h"
#include "core/graph/sparse_parts.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

struct DTypeRow
{
    DType dtype;
    std::string_view name;
    int bits;
};

constexpr std::array DTypeRows = {
    DTypeRow {DType::Unknown, "unknown", 0},
    DTypeRow {DType::Float64, "float64", 64},
    DTypeRow {DType::Float32, "float32", 32},
    DTypeRow {DType::Float16, "float16", 16},
    DTypeRow {DType::BFloat16, "bfloat16", 16},
    DTypeRow {DType::Float8E4M3FN, "float8e4m3fn", 8},
    DTypeRow {DType::Float8E4M3FNUZ, "float8e4m3fnuz", 8},
    DTypeRow {DType::Float8E5M2, "float8e5m2", 8},
    DTypeRow {DType::Float8E5M2FNUZ, "float8e5m2fnuz", 8},
    DTypeRow {DType::Float8E8M0, "float8e8m0", 8},
    DTypeRow {DType::Float4E2M1, "float4e2m1", 4},
    DTypeRow {DType::Int64, "int64", 64},
    DTypeRow {DType::Int32, "int32", 32},
    DTypeRow {DType::Int16, "int16", 16},
    DTypeRow {DType::Int8, "int8", 8},
    DTypeRow {DType::Int4, "int4", 4},
    DTypeRow {DType::Int2, "int2", 2},
    DTypeRow {DType::UInt64, "uint64", 64},
    DTypeRow {DType::UInt32, "uint32", 32},
    DTypeRow {DType::UInt16, "uint16", 16},
    DTypeRow {DType::UInt8, "uint8", 8},
    DTypeRow {DType::UInt4, "uint4", 4},
    DTypeRow {DType::UInt2, "uint2", 2},
    DTypeRow {DType::Bool, "bool", 8},
    DTypeRow {DType::Complex64, "complex64", 64},
    DTypeRow {DType::Complex128, "complex128", 128},
    DTypeRow {DType::String, "string", 0},
};

constexpr std::array<std::string_view, 3> StorageNames = {"dense", "row_sparse", "csr"}; // by StorageType

const DTypeRow& row(DType dtype)
{
    return DTypeRows[static_cast<std::size_t>(dtype)];
}

static_assert(
    [] {
        for (std::size_t i = 0; i < DTypeRows.size(); ++i) {
            if (static_cast<std::size_t>(DTypeRows[i].dtype) != i) return false;
        }
        return true;
    }(),
    "rows stand in the order of the enumeration");

} // namespace

std::string_view dtypeName(DType dtype)
{
    return row(dtype).name;
}

std::optional<DType> dtypeFromName(std::string_view name)
{
    const auto found =
        std::find_if(DTypeRows.begin() + 1, DTypeRows.end(), [&](const DTypeRow& r) { return r.name == name; });
    if (found == DTypeRows.end()) return std::nullopt;
    return found->dtype;
}

std::string_view storageTypeName(StorageType type)
{
    return StorageNames[static_cast<std::size_t>(type)];
}

std::optional<StorageType> storageTypeFromName(std::string_view name)
{
    const auto found = std::find(StorageNames.begin(), StorageNames.end(), name);
    if (found == StorageNames.end()) return std::nullopt;
    return static_cast<StorageType>(found - StorageNames.begin());
}

int dtypeBits(DType dtype)
{
    return row(dtype).bits;
}

bool isFloatingPoint(DType dtype)
{
    return dtype >= DType::Float64 && dtype <= DType::Float4E2M1;
}

bool isInteger(DType dtype)
{
    return dtype >= DType::Int64 && dtype <= DType::UInt2;
}

namespace {

/// \p sizeOf an item is below 0 where it is not known.
template <typename Items, typename SizeOf>
std::optional<std::int64_t> productOf(const Items& items, SizeOf sizeOf)
{
    if (std::ranges::any_of(items, [&](const auto& item) { return sizeOf(item) < 0; })) return std::nullopt;
    if (std::ranges::any_of(items, [&](const auto& item) { return sizeOf(item) == 0; })) return 0;
    std::optional<std::int64_t> count = 1;
    for (const auto& item : items) {
        count = checkedMultiply(*count, sizeOf(item));
        if (!count) return std::nullopt;
    }
    return count;
}

std::optional<std::int64_t> bytesOf(DType dtype, std::optional<std::int64_t> count)
{
    const int bits = dtypeBits(dtype);
    if (!count || bits == 0) return std::nullopt;
    if (bits >= 8) return checkedMultiply(*count, bits / 8);
    const int perByte = 8 / bits;
    return *count / perByte + (*count % perByte != 0 ? 1 : 0);
}

} // namespace

std::optional<std::int64_t> elementCount(const Shape& shape)
{
    return productOf(shape, [](std::int64_t size) { return size; });
}

std::optional<std::int64_t> denseBytes(DType dtype, const Shape& shape)
{
    return bytesOf(dtype, elementCount(shape));
}

TensorType TensorType::dense(DType dtype, const Shape& shape)
{
    TensorType type;
    type.dtype = dtype;
    type.dims.emplace();
    for (const std::int64_t size : shape)
        type.dims->push_back(Dim {size, {}});
    return type;
}

std::optional<Shape> TensorType::shape() const
{
    if (!dims) return std::nullopt;
    Shape sizes;
    for (const Dim& dim : *dims) {
        if (!dim.known()) return std::nullopt;
        sizes.push_back(dim.size);
    }
    return sizes;
}

std::optional<std::int64_t> TensorType::bytes() const
{
    if (kind != TypeKind::Tensor || !dims) return std::nullopt;
    if (!isSparse())
        return bytesOf(
            dtype, productOf(*dims, [](const Dim& dim) { return dim.size; })); // without a copy: it is asked for often
    const auto sizes = shape();
    if (!sizes) return std::nullopt;
    const auto parts = maxStored < 0 ? std::nullopt : sparseParts(storage, dtype, *sizes, maxStored);
    return parts ? std::optional(parts->bytes) : std::nullopt;
}

TensorType TensorType::asDense() const
{
    TensorType type = *this;
    type.storage = StorageType::Dense;
    type.maxStored = -1;
    return type;
}

bool TensorType::overflows() const
{
    const bool known = kind == TypeKind::Tensor && shape() && dtypeBits(dtype) > 0;
    return known && !bytes() && (!isSparse() || maxStored >= 0 || asDense().overflows());
}

std::string describe(const Shape& shape)
{
    std::string text = "[";
    for (const std::int64_t dim : shape)
        text += (text.size() > 1 ? "," : "") + std::to_string(dim);
    return text + "]";
}

std::string describe(const TensorType& type)
{
    if (type.kind == TypeKind::Opaque) return "opaque";
    std::string text(dtypeName(type.dtype));
    if (!type.dims) {
        text += "[?…]";
    } else {
        text += "[";
        for (const Dim& dim : *type.dims) {
            const std::string unknown = dim.symbol->empty() ? "?" : *dim.symbol;
            text += (&dim == type.dims->data() ? "" : ",") + (dim.known() ? std::to_string(dim.size) : unknown);
        }
        text += "]";
    }
    if (type.isSparse()) {
        const std::string most = type.maxStored < 0 ? "" : ", at most " + std::to_string(type.maxStored);
        return std::string(storageTypeName(type.storage)) + "(" + text + most + ")";
    }
    if (type.kind == TypeKind::Sequence) return "sequence(" + text + ")";
    if (type.kind == TypeKind::Optional) return "optional(" + text + ")";
    return text;
}

} // namespace plimsoll
