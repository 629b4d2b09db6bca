#pragma once

#include "core/formats/files/json_input.h"
#include "core/graph/tensor_type.h"

#include <cstddef>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

/// Whether elements of the type can be written as JSON numbers: integers of any width, bool, and 16 to 64 bit floats.
[[nodiscard]] bool hasNumbers(DType dtype);

/// Appends one element, little-endian, elements below a byte as a byte of their own. Floats are rounded to the type;
/// an integer that the type cannot hold is an error.
[[nodiscard]] Status appendElement(const JsonPlace& place, DType dtype, std::vector<std::byte>& out);

/// The elements as JSON numbers; those below a byte are unpacked.
[[nodiscard]] nlohmann::ordered_json elementsToJson(DType dtype, std::span<const std::byte> bytes, std::int64_t count);

/// Joins elements below a byte, one to a byte in \p loose, the first in the lowest bits.
[[nodiscard]] std::vector<std::byte> packElements(DType dtype, const std::vector<std::byte>& loose);

} // namespace plimsoll
