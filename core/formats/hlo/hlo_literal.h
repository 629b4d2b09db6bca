#pragma once

#include "core/formats/hlo/hlo_module.h"

namespace plimsoll::hlo {

/// The bytes of a constant as the text prints it, "{ {1, 2}, {3, inf} }"; absent where it leaves elements out
/// ("{...}"), or where they are none of numbers that are known here.
[[nodiscard]] TensorData literalData(const Shape& shape, std::string_view text);

} // namespace plimsoll::hlo
