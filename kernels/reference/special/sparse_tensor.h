#pragma once

#include "core/graph/sparse_parts.h"
#include "kernels/kernel.h"

#include <cstddef>
#include <vector>

namespace plimsoll::kernels {

/// What a sparse tensor keeps, apart from where its bytes are (core/graph/sparse_parts.h).
struct SparseContent
{
    StorageType storage = StorageType::Csr;
    DType dtype = DType::Unknown;
    Shape shape;
    std::vector<std::int64_t> ends;  ///< csr: where each row begins, and where the last ends. Empty for row_sparse.
    std::vector<std::int64_t> index; ///< Columns, or rows.
    std::vector<std::byte> values;   ///< Of each index: an element, or a row of them.

    [[nodiscard]] std::int64_t kept() const { return static_cast<std::int64_t>(index.size()); }
    [[nodiscard]] std::size_t slotBytes() const; ///< Of an element, or a row of them.
};

/// Where each slot stands among all that the tensor has: its row, or row × columns + column. Rises.
[[nodiscard]] std::vector<std::int64_t> placesOf(const SparseContent& content);
/// A tensor like \p like that keeps other slots; their values are for the caller to fill in.
[[nodiscard]] SparseContent withPlaces(const SparseContent& like, const std::vector<std::int64_t>& places);

/// What the block holds that is the tensor of \p type at run time: a row of elements of its type. Empty where it is
/// none: counts, rows or columns out of range or out of order. A plan that is wrong leaves such blocks.
[[nodiscard]] std::optional<SparseContent> readSparse(const TensorView& block, const TensorType& type);

/// The elements of the block for something of \p type that keeps \p kept: as large as the type's bound says, or as
/// needed where nothing is planned. An Error where the bound is exceeded.
[[nodiscard]] Result<SparseParts> partsFor(const TensorType& type, std::int64_t kept);

/// Fills all of \p block.
void writeSparse(const SparseContent& content, const SparseParts& parts, const TensorView& block);

/// Keeps what is not zero. -0 is zero.
[[nodiscard]] SparseContent compress(const TensorView& dense, StorageType storage);
/// Writes every element of \p dense, which has the shape of the content.
void expand(const SparseContent& content, const TensorView& dense);

} // namespace plimsoll::kernels
