#pragma once

#include <filesystem>
#include <optional>

#include <sys/types.h>

namespace plimsoll {

/// A file ".plimsoll-RANDOM.tmp" that holds new content until it takes the place of an old file. It is locked (flock)
/// while it is in use, so that others can tell it from one that a killed program left. The destructor removes it, and
/// so do SIGINT, SIGTERM and SIGHUP where nothing else is done about them.
class TemporaryFile
{
public:
    /// In \p folder, for writing; errno says why there is none.
    [[nodiscard]] static std::optional<TemporaryFile> create(const std::filesystem::path& folder, mode_t mode);

    TemporaryFile(TemporaryFile&& other) noexcept;
    TemporaryFile& operator=(TemporaryFile&&) = delete;
    ~TemporaryFile();

    [[nodiscard]] int descriptor() const { return m_descriptor; }
    /// Gives it the name \p target, whose file is replaced; false with errno where that fails.
    [[nodiscard]] bool replace(const std::filesystem::path& target);

private:
    TemporaryFile(std::filesystem::path path, int descriptor, int slot);

    std::filesystem::path m_path; ///< Empty: it has another name now.
    int m_descriptor;
    int m_slot; ///< In the list for signals; -1: the list is full.
};

/// Removes those in \p folder that no running program holds.
void removeAbandonedFiles(const std::filesystem::path& folder);

} // namespace plimsoll
