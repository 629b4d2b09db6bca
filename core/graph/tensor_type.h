#pragma once

#include "core/base/result.h"

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

/// One dimension: a size, a symbol that a binding can give a size, or unknown (-1 and no symbol).
struct Dim
{
    std::int64_t size = -1;
    std::string symbol;

    [[nodiscard]] bool known() const { return size >= 0; }
    friend bool operator==(const Dim&, const Dim&) = default;
};

enum class TypeKind : std::uint8_t {
    Tensor,
    Sequence, ///< Of tensors; never planned, since its length is known at run time only.
    Optional, ///< Of a tensor or sequence; never planned.
    Opaque,   ///< Maps, sparse tensors and whatever a file names that we do not plan.
};

/// What a Value is. Before inference any part may be unknown; after it, what is unknown stays so until the run.
struct TensorType
{
    TypeKind kind = TypeKind::Tensor;
    DType dtype = DType::Unknown;         ///< Of the element; for a sequence, of its tensors.
    std::optional<std::vector<Dim>> dims; ///< Empty when even the rank is unknown.

    [[nodiscard]] static TensorType dense(DType dtype, const Shape& shape);

    /// The shape, when every dimension is known.
    [[nodiscard]] std::optional<Shape> shape() const;
    /// Logical bytes; empty when they cannot be known before the run.
    [[nodiscard]] std::optional<std::int64_t> bytes() const;

    friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// "float32[1,3,224,224]", "int64[batch,?]", "float32[?…]" for an unknown rank, "sequence(float32[2])".
[[nodiscard]] std::string describe(const TensorType& type);
[[nodiscard]] std::string describe(const Shape& shape); ///< "[1,3]"

} // namespace plimsoll
