#include "core/formats/files/mapped_file.h"

#include "core/formats/bad_input.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace plimsoll {
namespace {

Error unreadable(const std::filesystem::path& path, Message message)
{
    return badInput(std::move(message), {}, path.string());
}

class Descriptor
{
public:
    explicit Descriptor(const std::filesystem::path& path)
        : m_fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    {
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_fd >= 0) ::close(m_fd);
    }
    [[nodiscard]] int get() const { return m_fd; }

private:
    int m_fd;
};

} // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path)
{
    const Descriptor file(path);
    struct ::stat info = {};
    if (file.get() < 0 || ::fstat(file.get(), &info) != 0)
        return unreadable(path, say("file.not-read", std::strerror(errno)));
    if (S_ISDIR(info.st_mode)) return unreadable(path, say("file.folder"));
    if (!S_ISREG(info.st_mode)) return unreadable(path, say("file.not-regular"));
    if (info.st_size == 0) return MappedFile({});
    const auto size = static_cast<std::size_t>(info.st_size);
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) return unreadable(path, say("file.not-mapped", std::strerror(errno)));
    return MappedFile({static_cast<const std::byte*>(data), size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : m_bytes(std::exchange(other.m_bytes, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty()) ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

} // namespace plimsoll
