#pragma once

#include "core/graph/tensor_type.h"

#include <optional>
#include <string>

namespace plimsoll::kernels {

/// Shortest decimal that reads back as the same number, with a point or an exponent: "1.0", "0.1", "1e-07", "nan".
[[nodiscard]] std::string numberText(double number, bool isDouble);

/// A decimal, "nan" or "inf" in any case, as both kinds of number. Empty for anything else.
struct TextNumber
{
    double real = 0;
    std::int64_t integer = 0;
};
[[nodiscard]] std::optional<TextNumber> textNumber(const std::string& text);

/// "FLOAT", "INT64", …: how opset 1 wrote element types.
[[nodiscard]] std::string onnxTypeName(DType dtype);

} // namespace plimsoll::kernels
