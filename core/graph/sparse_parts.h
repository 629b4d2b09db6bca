#pragma once

#include "core/base/message.h"
#include "core/graph/tensor_type.h"

namespace plimsoll {

/// What lies where in the one block of bytes that a sparse tensor is. Numbers of rows and columns are int64; parts are
/// as long as there are slots, and behind what is kept everything is zero, so that equal tensors are equal bytes.
///
///     row_sparse of [5,2], 3 slots             csr of [3,4], 5 slots
///
///     counts  2                                ends     0 2 2 3         where each row begins, and where the last ends
///     index   1   4   .                        index    0 3 1 . .       columns, rising within a row
///     values  a b c d . .                      values   a b c . .
///
/// Rows of a row_sparse tensor rise, too, and each is kept once.
struct SparseParts
{
    std::int64_t room = 0;     ///< Elements (csr) or rows that there is room for.
    std::int64_t unit = 1;     ///< Elements of a slot.
    std::int64_t index = 0;    ///< Offset of the numbers of rows or columns, in bytes; the counts are in front.
    std::int64_t values = 0;   ///< Offset of the elements.
    std::int64_t bytes = 0;    ///< Of all.
    std::int64_t elements = 0; ///< The same in elements of the tensor: what holds it is a row of so many.
};

/// Of a tensor that keeps at most \p maxStored elements or rows; there are never more slots than it has. Empty on
/// overflow and for what cannot be sparse: csr needs two dimensions, row_sparse at least one, and elements whole bytes.
[[nodiscard]] std::optional<SparseParts> sparseParts(StorageType storage, DType dtype, const Shape& shape,
                                                     std::int64_t maxStored);

/// The parts in a block of \p elements; empty where it is none of such a tensor.
[[nodiscard]] std::optional<SparseParts> sparsePartsIn(std::int64_t elements, StorageType storage, DType dtype,
                                                       const Shape& shape);

/// Why a tensor of the type cannot be kept that way, "csr needs two dimensions"; empty where it can, and as long as
/// what matters is not known.
[[nodiscard]] Message whyNotSparse(const TensorType& type);

/// How many elements or rows there are to keep: the largest number that means anything.
[[nodiscard]] std::optional<std::int64_t> storableCount(StorageType storage, const Shape& shape);

/// Lowers a bound above what there is to keep to that.
void capStored(TensorType& type);

} // namespace plimsoll
