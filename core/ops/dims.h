#pragma once

#include "core/graph/tensor_type.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll {

/// A shape while it is being inferred: -1 stands for a dimension that is not known.
using Dims = std::vector<std::int64_t>;
inline constexpr std::int64_t UnknownSize = -1;

[[nodiscard]] TensorType tensorOf(DType dtype, const std::optional<Dims>& dims);
/// Empty for an unknown rank and for what is no tensor.
[[nodiscard]] std::optional<Dims> dimsOf(const TensorType& type);

[[nodiscard]] bool allKnown(const Dims& dims);
/// Product of the dimensions; UnknownSize when one is unknown (and none is zero), empty on overflow.
[[nodiscard]] std::optional<std::int64_t> countOf(const Dims& dims);

/// The common shape under numpy's rule; empty when two known sizes cannot meet.
[[nodiscard]] std::optional<Dims> broadcast(const Dims& a, const Dims& b);
/// One dimension of that rule; empty on a contradiction.
[[nodiscard]] std::optional<std::int64_t> broadcastSize(std::int64_t a, std::int64_t b);

/// The size of an axis; UnknownSize where the rank is not known or has no such axis.
[[nodiscard]] std::int64_t sizeAt(const std::optional<Dims>& dims, std::size_t axis);

/// One size out of two that must be the same: the known one. Empty on a contradiction.
[[nodiscard]] std::optional<std::int64_t> sameSize(std::int64_t a, std::int64_t b);

/// \p axis counted from the front; empty when it is outside [-rank, rank).
[[nodiscard]] std::optional<std::size_t> normalAxis(std::int64_t axis, std::size_t rank);

/// What is common to two types that reach the same value on different ways: differing dimensions become unknown.
[[nodiscard]] TensorType mergedType(const TensorType& a, const TensorType& b);

/// For every element of a dense \p out, row by row: its offset when axis i advances by strides[i].
[[nodiscard]] std::vector<std::int64_t> stridedOffsets(const Shape& out, const std::vector<std::int64_t>& strides,
                                                       std::int64_t start = 0);
/// Elements to the next index of each axis of a dense row-major tensor; zeros for a tensor without elements.
[[nodiscard]] std::vector<std::int64_t> denseStrides(const Shape& shape);
/// For every element of \p out: the element of \p from that numpy's broadcasting reads for it.
[[nodiscard]] std::vector<std::int64_t> broadcastOffsets(const Shape& from, const Shape& out);

} // namespace plimsoll
