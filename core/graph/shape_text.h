#pragma once

#include "core/graph/tensor_type.h"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

/// A number of 0 or more and nothing else, as users write sizes of dimensions.
[[nodiscard]] std::optional<std::int64_t> sizeFromText(std::string_view text);

/// "1x3x224" as {1, 3, 224}, and an empty text as the shape of a scalar. Nothing where a part is no size.
[[nodiscard]] std::optional<Shape> shapeFromText(std::string_view text);

/// What shapeFromText() reads.
[[nodiscard]] std::string shapeText(const Shape& shape);

} // namespace plimsoll
