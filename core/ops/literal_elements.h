#pragma once

#include "core/graph/graph.h"
#include "core/ops/partial_tensor.h"

namespace plimsoll {

/// Whether the elements of a literal can be tracked: a known type of whole bytes, at most PartialTensor::Limit of them.
[[nodiscard]] bool isReadable(DType dtype, const Shape& shape, const TensorData& data);

/// The elements of a literal; reads its file if it must. Untracked where that fails or isReadable says no.
[[nodiscard]] PartialTensor readElements(DType dtype, const Shape& shape, const TensorData& data);

/// The bytes of a complete tensor, as a literal keeps them.
[[nodiscard]] TensorData writeElements(const PartialTensor& tensor);

/// \p number as the type holds it; for a real type rounded to it. Empty for an integer that the type cannot hold.
[[nodiscard]] std::optional<Scalar> asType(DType dtype, const Scalar& number);

} // namespace plimsoll
