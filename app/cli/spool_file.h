#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace plimsoll::cli {

/// A file in the folder for temporary files, gone with the object.
class SpoolFile
{
public:
    SpoolFile() = default;
    ~SpoolFile();
    SpoolFile(const SpoolFile&) = delete;
    SpoolFile& operator=(const SpoolFile&) = delete;

    [[nodiscard]] Status open(); ///< Makes it, empty.
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path; ///< Empty: there is none.
};

} // namespace plimsoll::cli
