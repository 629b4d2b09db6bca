#pragma once

#include "core/graph/tensor_type.h"
#include "core/ops/derivatives/formula.h"

namespace plimsoll::kernels {

/// Whether no function of whole tensors stands in it.
[[nodiscard]] bool isElementwise(const Formula& formula);

/// Whether g stands in the elementwise part at \p index.
[[nodiscard]] bool mentionsGradient(const Formula& formula, std::size_t index);

/// How many elements of the incoming gradient one element of \p result stands for, where \p shape sums over them.
[[nodiscard]] double multiplicity(const Shape& result, const Shape& full, const Shape& shape);

/// How many neighbouring channels one of \p numbers belongs to: before opset 21 GroupNormalization has one for a group.
[[nodiscard]] std::int64_t channelsOfOne(std::int64_t channels, std::int64_t numbers);

} // namespace plimsoll::kernels
