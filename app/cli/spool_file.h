#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace plimsoll::cli {

/// A file in the folder for temporary files that has no name there: it is gone with the object, or with the process.
class SpoolFile
{
public:
    SpoolFile() = default;
    ~SpoolFile();
    SpoolFile(const SpoolFile&) = delete;
    SpoolFile& operator=(const SpoolFile&) = delete;

    [[nodiscard]] Status open();                      ///< Makes it, empty.
    [[nodiscard]] std::filesystem::path path() const; ///< For opening it again.

private:
    int m_descriptor = -1; ///< -1: there is none.
};

} // namespace plimsoll::cli
