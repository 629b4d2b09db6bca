#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

/// What the header of a .npy file says (NumPy's own format, versions 1 to 3).
struct NpyHeader
{
    DType dtype = DType::Unknown;
    Shape shape;
    bool fortranOrder = false;
    std::int64_t dataOffset = 0; ///< Bytes from the start of the file.
};

[[nodiscard]] bool looksLikeNpy(std::span<const std::byte> bytes);

/// Refuses big-endian numbers, text and objects by name. Checks that the data is exactly as long as the shape says.
[[nodiscard]] Result<NpyHeader> readNpyHeader(std::span<const std::byte> bytes);

/// The array, its bytes copied, put into row-major order where the file has it column-major.
[[nodiscard]] Result<TensorLiteral> readNpy(std::span<const std::byte> bytes);

/// A file of version 1 with \p elements in row-major order. \p dtype is one that NumPy has.
[[nodiscard]] std::string npyFile(DType dtype, const Shape& shape, std::span<const std::byte> elements);

} // namespace plimsoll
