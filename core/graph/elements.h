#pragma once

#include "core/graph/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace plimsoll {

/// Elements of dense memory, at any address: those below a byte are packed, low bits first. None of these reads
/// strings, whose elements are no bytes.

/// Element \p index as a number, whatever its type; NaN for strings, the real part of a complex number. 64-bit integers
/// beyond 2^53 lose their last digits: for showing, not for deciding equality.
[[nodiscard]] double elementNumber(DType dtype, const std::byte* data, std::int64_t index);

/// Element \p index of a bool or an integer type of at most 16 bits.
[[nodiscard]] std::int64_t smallInteger(DType dtype, const std::byte* data, std::int64_t index);

/// Element \p index as text that reads back as the same element: shortest decimal, "nan", "inf", "-inf",
/// "true"/"false", "1,-2" for a complex number. Empty for a string.
[[nodiscard]] std::string elementText(DType dtype, const std::byte* data, std::int64_t index);

} // namespace plimsoll
