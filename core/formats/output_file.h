#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace plimsoll {

/// Writes a whole file: into a new one beside it first, which then takes its place, so that a failure leaves the old
/// file as it was.
[[nodiscard]] Status writeFile(const std::filesystem::path& path, std::span<const std::byte> bytes);
[[nodiscard]] Status writeFile(const std::filesystem::path& path, std::string_view text);

} // namespace plimsoll
