#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <span>
#include <vector>

namespace plimsoll {

/// Readers keep tensors up to this many bytes in memory and leave larger ones in their file; writers do the same.
inline constexpr std::int64_t InlineBytes = 4096;

/// Reads the bytes of a tensor, from memory or from its file, into \p out, whose size must be what the type asks for.
/// Errors: no data, another size than \p out, a file that is gone or has become shorter, a tensor of strings.
[[nodiscard]] Status loadBytesInto(const TensorData& data, std::span<std::byte> out);

/// The bytes of \p literal, exactly denseBytes of its type.
[[nodiscard]] Result<std::vector<std::byte>> loadBytes(const TensorLiteral& literal);

/// The bytes of a parameter or constant whose shape is known.
[[nodiscard]] Result<std::vector<std::byte>> loadBytes(const Value& value);

} // namespace plimsoll
