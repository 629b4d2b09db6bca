#pragma once

#include "core/base/message.h"
#include "kernels/tensor_view.h"

#include <cstdint>
#include <optional>
#include <string>

namespace plimsoll::kernels {

/// How two values that ought to be the same differ.
struct Difference
{
    double maxAbsDiff = 0;  ///< NaN where the type has no difference.
    std::int64_t count = 0; ///< Elements that differ; 0 when already the types do.
    Message note;           ///< "3 of 8 elements differ, the first at 2: 1.5 instead of 0.5"
};

/// Empty when both are the same, bit for bit: kind, type, shape, and every byte (NaNs with the same bits are equal).
/// \p found is what is there, \p wanted what ought to be.
[[nodiscard]] std::optional<Difference> compareExactly(const RuntimeValue& found, const RuntimeValue& wanted);

/// How far apart floating-point elements may be: |found - wanted| <= absolute + relative * |wanted|.
struct Tolerance
{
    double relative = 1e-3;
    double absolute = 1e-7;
    double units = 0; ///< Of integers, whatever they stand for.
};
/// As ONNX's backend tests do it: elements within the tolerance, NaN equal to NaN, infinities equal to themselves;
/// bools and strings exactly. An element that is no tensor but a sequence is compared in order.
[[nodiscard]] std::optional<Difference> compareWithin(const RuntimeValue& found, const RuntimeValue& wanted,
                                                      Tolerance tolerance);

/// Of the finite elements of a tensor of floating-point numbers; else 0.
[[nodiscard]] double largestMagnitude(const RuntimeValue& value);

/// What may cancel to nothing in a sum keeps the rounding of its terms: \p tolerance, and one last place of float32 of
/// the largest element that is wanted.
[[nodiscard]] Tolerance withRounding(Tolerance tolerance, const RuntimeValue& wanted);

/// Bytes of a value; strings count their characters.
[[nodiscard]] std::int64_t valueBytes(const RuntimeValue& value);

} // namespace plimsoll::kernels
