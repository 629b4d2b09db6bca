#pragma once

#include <filesystem>
#include <optional>

namespace plimsoll {

/// The descriptor that "/dev/stdout", "/dev/stderr", "/dev/fd/N" or "/proc/self/fd/N" stand for.
[[nodiscard]] std::optional<int> descriptorOf(const std::filesystem::path& path);

/// What a symbolic link leads to, whether that exists or not; of links that go in circles one of them.
[[nodiscard]] std::filesystem::path targetOf(std::filesystem::path path);

/// "." for a bare name.
[[nodiscard]] std::filesystem::path folderOf(const std::filesystem::path& path);

} // namespace plimsoll
