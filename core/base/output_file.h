#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

/// New content for a file. It is written beside the old one, as ".plimsoll-RANDOM.tmp", and takes its place, mode and
/// owner in commit(). Before that the old file is as it was; a failure, the destructor, SIGINT, SIGTERM and SIGHUP
/// remove the new one. Of a symbolic link the target is replaced. Pipes and devices, and what /dev/stdout or /dev/fd/N
/// stand for, are written directly.
///
///     PLIMSOLL_ASSIGN(file, OutputFile::open("report.json"));
///     file.stream() << text;
///     return file.commit();
class OutputFile
{
public:
    /// BadInput says why it cannot be written: no such folder, no permission, a folder itself.
    [[nodiscard]] static Result<OutputFile> open(const std::filesystem::path& path);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    ~OutputFile();

    /// Failures are remembered for commit().
    [[nodiscard]] std::ostream& stream();
    void write(std::span<const std::byte> bytes);
    /// Another name in the same folder, for content whose name depends on it.
    void rename(const std::string& name);

    /// For a process that writes in our place.
    [[nodiscard]] int descriptor() const;

    [[nodiscard]] Status commit();

private:
    friend Status commitTogether(std::span<OutputFile> files);
    class Buffer;
    class Content;
    explicit OutputFile(std::unique_ptr<Content> content);

    std::unique_ptr<Content> m_content;
};

/// None of the files appears unless all could be written. They appear in this order: first what others name.
[[nodiscard]] Status commitTogether(std::span<OutputFile> files);

/// Writes a whole file as an OutputFile.
[[nodiscard]] Status writeFile(const std::filesystem::path& path, std::span<const std::byte> bytes);
[[nodiscard]] Status writeFile(const std::filesystem::path& path, std::string_view text);

} // namespace plimsoll
