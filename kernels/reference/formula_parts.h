#pragma once

#include "core/graph/tensor_type.h"
#include "core/ops/formula.h"

#include <string_view>

namespace plimsoll::kernels {

/// "g", "g1": the gradient of an output.
[[nodiscard]] bool isGradientName(std::string_view name);

/// Whether no function of whole tensors stands in it.
[[nodiscard]] bool isElementwise(const Formula& formula);

/// Whether g stands in the elementwise part at \p index.
[[nodiscard]] bool mentionsGradient(const Formula& formula, std::size_t index);

/// How many elements of the incoming gradient one element of \p result stands for, where \p shape sums over them.
[[nodiscard]] double multiplicity(const Shape& result, const Shape& full, const Shape& shape);

} // namespace plimsoll::kernels
