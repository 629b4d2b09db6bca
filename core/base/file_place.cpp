#include "core/base/file_place.h"

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace plimsoll {

namespace fs = std::filesystem;

std::optional<int> descriptorOf(const fs::path& path)
{
    const std::string text = path.string();
    if (text == "/dev/stdout") return STDOUT_FILENO;
    if (text == "/dev/stderr") return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!text.starts_with(folder)) continue;
        int number = 0;
        const char* const end = text.data() + text.size();
        const auto read = std::from_chars(text.data() + folder.size(), end, number);
        if (read.ec == std::errc() && read.ptr == end) return number;
    }
    return std::nullopt;
}

fs::path targetOf(fs::path path)
{
    constexpr int MostLinks = 40;
    std::error_code none;
    for (int links = 0; links < MostLinks; ++links) {
        if (fs::symlink_status(path, none).type() != fs::file_type::symlink) break;
        path = path.parent_path() / fs::read_symlink(path, none); // an absolute target replaces the folder
    }
    return path;
}

fs::path folderOf(const fs::path& path)
{
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

} // namespace plimsoll
