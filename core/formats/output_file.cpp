#include "core/formats/output_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <unistd.h>

namespace plimsoll {

namespace {

/// Devices and pipes must stay what they are; only plain files are replaced.
bool isReplaceable(const std::filesystem::path& path)
{
    std::error_code failure;
    const auto status = std::filesystem::symlink_status(path, failure);
    return status.type() == std::filesystem::file_type::not_found ||
           status.type() == std::filesystem::file_type::regular;
}

} // namespace

Status writeFile(const std::filesystem::path& path, std::span<const std::byte> bytes)
{
    const bool replace = isReplaceable(path);
    std::filesystem::path fresh = path;
    if (replace) fresh += ".new-" + std::to_string(::getpid());
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    const int reason = errno;
    std::error_code failure;
    if (out && replace) std::filesystem::rename(fresh, path, failure);
    if (out && !failure) return {};
    const std::string why = out ? failure.message() : std::strerror(reason);
    if (replace) std::filesystem::remove(fresh, failure);
    return Error {ErrorCode::BadInput, "Cannot write the file: " + why + ".", {}, path.string()};
}

Status writeFile(const std::filesystem::path& path, std::string_view text)
{
    return writeFile(path, std::as_bytes(std::span(text)));
}

} // namespace plimsoll
