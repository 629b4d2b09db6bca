#pragma once

#include "kernels/tensor_view.h"

#include <string>
#include <vector>

namespace plimsoll::kernels {

/// Element \p index as a number, whatever its type; NaN for strings and complex numbers' phase is dropped (real part).
/// 64-bit integers beyond 2^53 lose their last digits: for showing differences, not for deciding equality.
[[nodiscard]] double readElement(const TensorView& tensor, std::int64_t index);

/// Element \p index of an integer or bool tensor, exactly; what lies beyond 63 bits is the largest such number. A real
/// number is cut off; 0 for strings and complex numbers.
[[nodiscard]] std::int64_t readInteger(const TensorView& tensor, std::int64_t index);

/// Element \p index as text that reads back as the same element: shortest decimal, "nan", "inf", "-inf",
/// "true"/"false".
[[nodiscard]] std::string elementText(const TensorView& tensor, std::int64_t index);

/// The first \p limit elements as text.
[[nodiscard]] std::vector<std::string> elementTexts(const TensorView& tensor, std::int64_t limit);

/// Fills \p tensor from a seed. Floating-point numbers lie in [-1, 1), finite in every format; integers and bools are
/// 0 or 1; strings are eight letters.
void fillFromSeed(const TensorView& tensor, std::uint64_t seed);

/// Copies the elements of one dense tensor of the same type and count; nothing happens when both are the same bytes.
void copyTensor(const TensorView& from, const TensorView& to);

/// Elements [from, from + count) to [to, to + count), for types of whole bytes and for strings. Bytes may overlap.
void copyElements(const TensorView& source, std::int64_t from, const TensorView& target, std::int64_t to,
                  std::int64_t count);

/// A tensor of its own with the same content.
[[nodiscard]] HostTensor cloneTensor(const TensorView& tensor);
/// A value that owns all its memory.
[[nodiscard]] RuntimeValue cloneValue(const RuntimeValue& value);

} // namespace plimsoll::kernels
