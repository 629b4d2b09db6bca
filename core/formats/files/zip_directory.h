#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

/// A file in a ZIP archive that is stored as it is.
struct ZipEntry
{
    std::string name;
    std::int64_t offset = 0; ///< Of its first byte in the archive.
    std::int64_t bytes = 0;
    bool stored = true; ///< False: it is compressed or encrypted, and only its name can be used.
};

/// The files of an archive. Every offset and size was checked to lie inside of it.
[[nodiscard]] Result<std::vector<ZipEntry>> readZipDirectory(std::span<const std::byte> archive);

} // namespace plimsoll
