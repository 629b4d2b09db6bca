#pragma once

#include "core/base/progress.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace plimsoll {

/// Whether the bytes begin as a ZIP archive does.
[[nodiscard]] bool looksLikeArchive(std::span<const std::byte> bytes);

/// Reads the program that torch.export.save wrote (.pt2): its graph as readFx reads a printed one, with the names of
/// parameters and buffers and the bytes of those that are stored as they are. Nothing is unpickled. \p wanted: the
/// model of that name, where the archive holds several. Other archives are refused, with what to do instead.
[[nodiscard]] Result<Graph> readPt2(std::span<const std::byte> bytes, std::string_view wanted,
                                    const std::filesystem::path& file, const Context& context);

} // namespace plimsoll
