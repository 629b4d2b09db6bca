#include "core/base/output_file.h"

#include "core/base/file_place.h"
#include "core/base/temporary_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <streambuf>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

Error cannotWrite(const fs::path& path, Message why)
{
    return {ErrorCode::BadInput, say("file.not-written", std::move(why)), {}, path.string()};
}

Error cannotWrite(const fs::path& path, int reason)
{
    return cannotWrite(path, Message(std::strerror(reason)));
}

/// Gives the mode and the owner of \p old, where it exists.
Status takeOver(int descriptor, const fs::path& old)
{
    struct ::stat before = {};
    struct ::stat now = {};
    if (::stat(old.c_str(), &before) != 0) return {};
    const bool known = ::fstat(descriptor, &now) == 0;
    const bool sameOwner = known && now.st_uid == before.st_uid && now.st_gid == before.st_gid;
    if (!sameOwner && ::fchown(descriptor, before.st_uid, before.st_gid) != 0)
        return cannotWrite(old, say("file.owner-lost"));
    constexpr mode_t Permissions = 07777;
    if (::fchmod(descriptor, before.st_mode & Permissions) != 0) return cannotWrite(old, errno);
    return {};
}

} // namespace

/// A buffer in front of a descriptor that remembers the first failure.
class OutputFile::Buffer : public std::streambuf
{
public:
    explicit Buffer(int descriptor) : m_descriptor(descriptor)
    {
        setp(m_block.data(), m_block.data() + m_block.size());
    }
    [[nodiscard]] int reason() const { return m_reason; } ///< errno of it; 0: none.

protected:
    int_type overflow(int_type letter) override
    {
        if (sync() != 0) return traits_type::eof();
        if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
        return sputc(traits_type::to_char_type(letter));
    }
    std::streamsize xsputn(const char* text, std::streamsize count) override
    {
        if (count <= epptr() - pptr()) return std::streambuf::xsputn(text, count);
        return sync() == 0 && writeAll({text, static_cast<std::size_t>(count)}) ? count : 0;
    }
    int sync() override
    {
        const bool written = writeAll({pbase(), static_cast<std::size_t>(pptr() - pbase())});
        setp(m_block.data(), m_block.data() + m_block.size());
        return written ? 0 : -1;
    }

private:
    bool writeAll(std::string_view text)
    {
        while (!text.empty() && m_reason == 0) {
            const ssize_t count = ::write(m_descriptor, text.data(), text.size());
            if (count >= 0) {
                text.remove_prefix(static_cast<std::size_t>(count));
                continue;
            }
            pollfd waiting {m_descriptor, POLLOUT, 0};
            const bool writable = errno == EAGAIN && ::poll(&waiting, 1, -1) > 0;
            if (!writable && errno != EINTR) m_reason = errno;
        }
        return m_reason == 0;
    }

    int m_descriptor;
    int m_reason = 0;
    std::array<char, 1 << 16> m_block {};
};

/// Where the bytes go: into a temporary file that will be \c target, or directly to a descriptor.
class OutputFile::Content
{
public:
    Content(fs::path path, fs::path target, TemporaryFile file)
        : m_path(std::move(path)), m_target(std::move(target)), m_file(std::move(file)), m_direct(-1),
          m_buffer(m_file->descriptor()), m_stream(&m_buffer)
    {
    }
    Content(fs::path path, int direct)
        : m_path(std::move(path)), m_direct(direct), m_buffer(direct), m_stream(&m_buffer)
    {
    }
    Content(const Content&) = delete;
    Content& operator=(const Content&) = delete;
    ~Content()
    {
        if (m_direct >= 0) ::close(m_direct);
    }

    [[nodiscard]] std::ostream& stream() { return m_stream; }
    [[nodiscard]] int descriptor() const { return m_file ? m_file->descriptor() : m_direct; }

    void rename(const std::string& name)
    {
        m_path.replace_filename(name);
        m_target.replace_filename(name);
    }

    /// All is written, and on the disk.
    Status finish()
    {
        m_stream.flush();
        if (m_buffer.reason() != 0) return cannotWrite(m_path, m_buffer.reason());
        if (!m_file) return {};
        PLIMSOLL_TRY(takeOver(m_file->descriptor(), m_target));
        if (::fsync(m_file->descriptor()) != 0) return cannotWrite(m_path, errno);
        return {};
    }

    Status publish()
    {
        if (!m_file) return {};
        if (!m_file->replace(m_target)) return cannotWrite(m_path, errno);
        const int folder = ::open(folderOf(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) return {};
        ::fsync(folder); // some file systems have no such thing
        ::close(folder);
        return {};
    }

private:
    fs::path m_path; ///< As it was asked for.
    fs::path m_target;
    std::optional<TemporaryFile> m_file;
    int m_direct;
    Buffer m_buffer;
    std::ostream m_stream;
};

OutputFile::OutputFile(std::unique_ptr<Content> content) : m_content(std::move(content)) {}
OutputFile::OutputFile(OutputFile&& other) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&& other) noexcept = default;
OutputFile::~OutputFile() = default;

Result<OutputFile> OutputFile::open(const fs::path& path)
{
    if (const auto known = descriptorOf(path)) {
        const int copy = ::fcntl(*known, F_DUPFD_CLOEXEC, 0);
        if (copy < 0) return cannotWrite(path, errno);
        return OutputFile(std::make_unique<Content>(path, copy));
    }
    fs::path target = targetOf(path);
    std::error_code none;
    if (fs::is_symlink(target, none)) return cannotWrite(path, ELOOP);
    struct ::stat old = {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return cannotWrite(path, EISDIR);
    if (exists && !S_ISREG(old.st_mode)) {
        const int direct = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (direct < 0) return cannotWrite(path, errno);
        return OutputFile(std::make_unique<Content>(path, direct));
    }
    if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) return cannotWrite(path, errno);
    constexpr mode_t Private = 0600;
    constexpr mode_t AsUsual = 0666; // less the umask
    auto file = TemporaryFile::create(folderOf(target), exists ? Private : AsUsual);
    const int why = errno;
    if (!file && why == ENOENT && !std::filesystem::is_directory(folderOf(target), none))
        return cannotWrite(path, say("file.no-folder", word::Name {folderOf(target).string()}));
    if (!file) return cannotWrite(path, why);
    return OutputFile(std::make_unique<Content>(path, std::move(target), *std::move(file)));
}

std::ostream& OutputFile::stream()
{
    return m_content->stream();
}

int OutputFile::descriptor() const
{
    return m_content->descriptor();
}

void OutputFile::write(std::span<const std::byte> bytes)
{
    stream().write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void OutputFile::rename(const std::string& name)
{
    m_content->rename(name);
}

Status OutputFile::commit()
{
    return commitTogether({this, 1});
}

Status commitTogether(std::span<OutputFile> files)
{
    for (OutputFile& file : files)
        PLIMSOLL_TRY(file.m_content->finish());
    for (OutputFile& file : files)
        PLIMSOLL_TRY(file.m_content->publish());
    return {};
}

Status writeFile(const fs::path& path, std::span<const std::byte> bytes)
{
    PLIMSOLL_ASSIGN(file, OutputFile::open(path));
    file.write(bytes);
    return file.commit();
}

Status writeFile(const fs::path& path, std::string_view text)
{
    return writeFile(path, std::as_bytes(std::span(text)));
}

} // namespace plimsoll
