#pragma once

#include "core/base/rare.h"
#include "core/base/result.h"

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class DType : std::uint8_t {
    Unknown,
    Float64,
    Float32,
    Float16,
    BFloat16,
    Float8E4M3FN,
    Float8E4M3FNUZ,
    Float8E5M2,
    Float8E5M2FNUZ,
    Float8E8M0,
    Float4E2M1,
    Int64,
    Int32,
    Int16,
    Int8,
    Int4,
    Int2,
    UInt64,
    UInt32,
    UInt16,
    UInt8,
    UInt4,
    UInt2,
    Bool,
    Complex64,
    Complex128,
    String,
};

/// "float32", "bfloat16", "int4", …; the names of the contracts.
[[nodiscard]] std::string_view dtypeName(DType dtype);
[[nodiscard]] std::optional<DType> dtypeFromName(std::string_view name);

/// Bits of one element; 0 for Unknown and String, whose size cannot be told from the type.
[[nodiscard]] int dtypeBits(DType dtype);
[[nodiscard]] bool isFloatingPoint(DType dtype);
[[nodiscard]] bool isInteger(DType dtype); ///< Bool is not one.

/// A known, fully concrete shape. A scalar has none.
using Shape = std::vector<std::int64_t>;

[[nodiscard]] std::optional<std::int64_t> elementCount(
    const Shape& shape); ///< Empty on overflow or a negative dimension.

/// Bytes of a dense row-major tensor; elements below a byte are packed, the last byte padded.
/// Empty on overflow, on a negative dimension, or for an element type without a fixed size.
[[nodiscard]] std::optional<std::int64_t> denseBytes(DType dtype, const Shape& shape);

/// How the elements of a tensor are kept. "row_sparse" keeps some of its rows, "csr" the elements of a matrix that are
/// not zero, row by row; what is not kept is zero. sparse_parts.h says what lies where.
enum class StorageType : std::uint8_t { Dense, RowSparse, Csr };

[[nodiscard]] std::string_view storageTypeName(StorageType type); ///< "dense", "row_sparse", "csr"
[[nodiscard]] std::optional<StorageType> storageTypeFromName(std::string_view name);

/// One dimension: a size, a symbol that a binding can give a size, or unknown (-1 and no symbol).
struct Dim
{
    std::int64_t size = -1;
    Rare<std::string> symbol;

    [[nodiscard]] bool known() const { return size >= 0; }
    friend bool operator==(const Dim&, const Dim&) = default;
};

/// The dimensions of a tensor. One takes no memory beside them: tables have a million such tensors.
using DimList = absl::InlinedVector<Dim, 1>;

enum class TypeKind : std::uint8_t {
    Tensor,
    Sequence, ///< Of tensors; never planned, since its length is known at run time only.
    Optional, ///< Of a tensor or sequence; never planned.
    Opaque,   ///< Maps, sparse tensors and whatever else a file names; never planned.
};

/// What a Value is. Before inference any part may be unknown; after it, what is unknown stays so until the run.
struct TensorType
{
    TypeKind kind = TypeKind::Tensor;
    DType dtype = DType::Unknown; ///< Of the element; for a sequence, of its tensors.
    StorageType storage = StorageType::Dense;
    std::optional<DimList> dims; ///< Empty when even the rank is unknown.
    /// Of a sparse tensor: how many elements (csr) or rows (row_sparse) it keeps at most. How many there are is known
    /// at run time only, so this is what it has room for. -1: nothing says it, and nothing can be planned.
    std::int64_t maxStored = -1;

    [[nodiscard]] static TensorType dense(DType dtype, const Shape& shape);
    [[nodiscard]] bool isSparse() const { return storage != StorageType::Dense; }
    [[nodiscard]] TensorType asDense() const; ///< The same tensor with every element kept.

    /// The shape, when every dimension is known.
    [[nodiscard]] std::optional<Shape> shape() const;
    /// Logical bytes; empty when they cannot be known before the run. Of a sparse tensor those of all its parts.
    [[nodiscard]] std::optional<std::int64_t> bytes() const;
    /// Everything is known, and the size does not fit in 63 bits.
    [[nodiscard]] bool overflows() const;

    friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// "float32[1,3,224,224]", "int64[batch,?]", "float32[?…]" for an unknown rank, "sequence(float32[2])",
/// "csr(float32[4,1000], at most 128)".
[[nodiscard]] std::string describe(const TensorType& type);
[[nodiscard]] std::string describe(const Shape& shape); ///< "[1,3]"

} // namespace plimsoll
