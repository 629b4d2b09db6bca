#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace plimsoll {

/// Bytes of a file that a reader has before it.
struct FilePart
{
    std::span<const std::byte> content;
    std::int64_t offset = 0; ///< Of its first byte in the file.
};

/// A tensor that keeps \p bytes.
[[nodiscard]] TensorData dataOf(std::vector<std::byte> bytes);

/// What a tensor keeps of them: small ones themselves, of larger ones where they are in \p file. All of them for a
/// reader that has no file.
[[nodiscard]] TensorData dataOf(const FilePart& part, const std::filesystem::path& file);

} // namespace plimsoll
