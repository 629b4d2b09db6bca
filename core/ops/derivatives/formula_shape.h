#pragma once

#include "core/graph/tensor_type.h"
#include "core/ops/derivatives/formula.h"

#include <functional>

namespace plimsoll {

/// \p shape with the reduced \p axes put back, with size 1. \p shape may be one that broadcasts to \p reduced.
///
///     [2, 4] of [2, 4], axes {1} → [2, 1, 4]        [] of [2, 4], axes {1} → [1, 1, 1]
[[nodiscard]] Shape withReducedAxes(const Shape& shape, const Shape& reduced, const std::vector<std::int64_t>& axes,
                                    std::size_t rank);

/// The shape that a name has where it stands, or nothing when it has none (a gradient that never comes).
using ShapeOfName = std::function<std::optional<Shape>(std::string_view name)>;

/// The smallest shape that holds the value of a formula: what broadcasts need not be written out. Empty where a
/// function of whole tensors stands in it. \p expanded gives the shape of expand(…) from that of its argument.
[[nodiscard]] std::optional<Shape> compactShape(const Formula& formula, const ShapeOfName& shapeOfName,
                                                const std::function<Shape(const Shape&)>& expanded);

} // namespace plimsoll
