#include "core/sandbox/file_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace plimsoll {
namespace {

/// As the kernel has it today; the header of the system may be older. Version 4 knows of the network, 6 of scopes.
struct HandledRights
{
    std::uint64_t files = 0;
    std::uint64_t network = 0;
    std::uint64_t scopes = 0;
};

constexpr std::uint64_t lowest(int bits)
{
    return (std::uint64_t {1} << bits) - 1;
}

/// All that a version can refuse.
HandledRights rightsOf(int version)
{
    const int files = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return {lowest(files), version >= 4 ? lowest(2) : 0, version >= 6 ? lowest(2) : 0};
}

std::size_t sizeFor(int version)
{
    return (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(std::uint64_t);
}

void allow(int rules, const std::filesystem::path& path, bool programs)
{
    const int descriptor = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (descriptor < 0) return;
    struct ::stat facts = {};
    const bool folder = fstat(descriptor, &facts) == 0 && S_ISDIR(facts.st_mode);
    landlock_path_beneath_attr below = {};
    below.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    if (folder) below.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    if (programs) below.allowed_access |= LANDLOCK_ACCESS_FS_EXECUTE;
    below.parent_fd = descriptor;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
    close(descriptor);
}

} // namespace

int landlockVersion()
{
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return static_cast<int>(std::max(0L, version));
}

int fileRules(const std::vector<std::filesystem::path>& paths, bool programs)
{
    const int version = landlockVersion();
    if (version == 0) return -1;
    const HandledRights rights = rightsOf(version);
    const auto rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rights, sizeFor(version), 0));
    for (const std::filesystem::path& path : paths)
        allow(rules, path, programs);
    return rules;
}

void obeyFileRules(int rules) noexcept
{
    syscall(SYS_landlock_restrict_self, rules, 0);
}

} // namespace plimsoll
