#include "core/base/temporary_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace plimsoll {
namespace {

constexpr std::string_view Prefix = ".plimsoll-";
constexpr std::string_view Suffix = ".tmp";
constexpr std::size_t RandomLetters = 16;

/// A name that a signal handler may read: of a fixed place, and whole whenever it is in use.
struct Slot
{
    std::atomic<bool> taken = false;
    std::atomic<bool> named = false;
    std::array<char, PATH_MAX> name {};
};
std::array<Slot, 8> slots;

/// Calls nothing but what is safe in a signal handler.
void removeAndEnd(int signal)
{
    for (const Slot& slot : slots) {
        if (slot.named) ::unlink(slot.name.data());
    }
    std::signal(signal, SIG_DFL);
    ::raise(signal); // takes effect when this handler is left
}

/// Where neither the program nor its parent has decided otherwise.
void removeAtSignals()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct ::sigaction now = {};
        if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
        now.sa_handler = removeAndEnd;
        ::sigaction(signal, &now, nullptr);
    }
}

int takeSlot(const std::string& name)
{
    if (name.size() >= PATH_MAX) return -1;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].taken.exchange(true)) continue;
        std::memcpy(slots[i].name.data(), name.c_str(), name.size() + 1);
        slots[i].named = true;
        return static_cast<int>(i);
    }
    return -1;
}

void freeSlot(int slot)
{
    if (slot < 0) return;
    slots[static_cast<std::size_t>(slot)].named = false;
    slots[static_cast<std::size_t>(slot)].taken = false;
}

std::string randomName()
{
    std::uint64_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) return {};
    std::string letters(RandomLetters, '0');
    for (char& letter : letters) {
        letter = "0123456789abcdef"[number & 15];
        number >>= 4;
    }
    return std::string(Prefix) + letters + std::string(Suffix);
}

/// Locked, and not removed by another program between its making and its locking.
bool isOurs(int descriptor)
{
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    struct ::stat info = {};
    return ::fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

} // namespace

std::optional<TemporaryFile> TemporaryFile::create(const std::filesystem::path& folder, mode_t mode)
{
    removeAtSignals();
    constexpr int Tries = 16;
    for (int i = 0; i < Tries; ++i) {
        const std::filesystem::path path = std::filesystem::absolute(folder / randomName());
        const int slot = takeSlot(path.string());
        const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        const int reason = errno;
        if (made >= 0 && isOurs(made)) return TemporaryFile(path, made, slot);
        if (made >= 0) ::close(made);
        freeSlot(slot);
        errno = made < 0 ? reason : EEXIST;
        if (errno != EEXIST) return std::nullopt;
    }
    return std::nullopt;
}

TemporaryFile::TemporaryFile(std::filesystem::path path, int descriptor, int slot)
    : m_path(std::move(path)), m_descriptor(descriptor), m_slot(slot)
{
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_slot(std::exchange(other.m_slot, -1))
{
}

TemporaryFile::~TemporaryFile()
{
    if (!m_path.empty()) ::unlink(m_path.c_str());
    freeSlot(m_slot);
    if (m_descriptor >= 0) ::close(m_descriptor);
}

bool TemporaryFile::replace(const std::filesystem::path& target)
{
    if (std::rename(m_path.c_str(), target.c_str()) != 0) return false;
    m_path.clear();
    return true;
}

void removeAbandonedFiles(const std::filesystem::path& folder)
{
    std::error_code none;
    for (std::filesystem::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
        const std::string name = entry->path().filename().string();
        const bool ours = name.size() == Prefix.size() + RandomLetters + Suffix.size() && name.starts_with(Prefix) &&
                          name.ends_with(Suffix);
        if (!ours) continue;
        const int file = ::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct ::stat info = {};
        const bool plain = file >= 0 && ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
        if (plain && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
        if (file >= 0) ::close(file);
    }
}

} // namespace plimsoll
