#pragma once

#include <filesystem>
#include <string_view>

namespace plimsoll::test {

/// A folder of its own for one test, removed with everything in it.
class TemporaryFolder
{
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Writes a file below the folder, making folders on the way, and returns its path.
    std::filesystem::path write(const std::filesystem::path& name, std::string_view content) const;

private:
    std::filesystem::path m_path;
};

} // namespace plimsoll::test
