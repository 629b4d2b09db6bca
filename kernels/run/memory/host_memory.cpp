#include "kernels/run/memory/host_memory.h"

#include "core/base/bytes.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>

namespace plimsoll::kernels {
namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> numberIn(const fs::path& path)
{
    std::ifstream file(path);
    std::int64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt; // "max" is none
}

/// The number behind a name at the beginning of a line: "MemAvailable:   123 kB", "inactive_file 123".
std::optional<std::int64_t> numberOf(const fs::path& path, const std::string& name)
{
    std::ifstream file(path);
    std::string word;
    std::int64_t number = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        if (words >> word >> number && word == name) return number;
    }
    return std::nullopt;
}

/// Pages of files that can be dropped count as free.
std::optional<std::int64_t> leftIn(const fs::path& group, const char* limitName, const char* usageName)
{
    const auto limit = numberIn(group / limitName);
    const auto used = numberIn(group / usageName);
    if (!limit || !used) return std::nullopt;
    const std::int64_t dropped = numberOf(group / "memory.stat", "inactive_file").value_or(0);
    return std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, *used - dropped));
}

/// The group and those around it: "0::/user.slice/a" names one of version 2, "5:memory:/a" one of version 1.
std::int64_t leftByGroups(const fs::path& root)
{
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::ifstream file(root / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const auto second = line.rfind(':');
        const auto first = line.find(':');
        if (first == std::string::npos || second == first) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool older = controllers.find("memory") != std::string::npos;
        if (!older && !controllers.empty()) continue;
        const fs::path base = root / (older ? "sys/fs/cgroup/memory" : "sys/fs/cgroup");
        fs::path group = fs::path(line.substr(second + 1)).relative_path();
        while (true) {
            const auto left = older ? leftIn(base / group, "memory.limit_in_bytes", "memory.usage_in_bytes")
                                    : leftIn(base / group, "memory.max", "memory.current");
            if (left) least = std::min(least, *left);
            if (group.empty()) break;
            group = group.parent_path();
        }
    }
    return least;
}

} // namespace

std::int64_t freeMemory(const fs::path& root)
{
    const auto available = numberOf(root / "proc/meminfo", "MemAvailable:");
    const std::int64_t ofMachine = available ? checkedMultiply(*available, 1024).value_or(0) : machineMemory();
    return std::min(ofMachine, leftByGroups(root));
}

std::int64_t machineMemory()
{
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
}

Result<HostTensor> allocateTensor(DType dtype, const Shape& shape)
{
    const auto count = elementCount(shape);
    const auto bytes =
        dtype == DType::String && count ? checkedMultiply(*count, sizeof(std::string)) : denseBytes(dtype, shape);
    if (!bytes) {
        return Error {
            ErrorCode::BadInput, say("memory.no-size", std::string(dtypeName(dtype)) + describe(shape)), {}, {}};
    }
    const Error tooLarge {ErrorCode::Unsupported,
                          say("memory.too-large", std::string(dtypeName(dtype)) + describe(shape), word::Size {*bytes}),
                          {},
                          {}};
    if (*bytes > machineMemory()) return tooLarge;
    try {
        return HostTensor(dtype, shape);
    } catch (const std::bad_alloc&) {
        return tooLarge;
    }
}

Result<RuntimeValue> CountingAllocator::allocate(DType dtype, const Shape& shape)
{
    PLIMSOLL_ASSIGN(tensor, allocateTensor(dtype, shape));
    RuntimeValue value = tensorValue(tensor);
    const std::shared_ptr<void> token = account(tensor.view().bytes());
    value.owner = std::make_shared<std::pair<HostTensor, std::shared_ptr<void>>>(std::move(tensor), token);
    return value;
}

std::shared_ptr<void> CountingAllocator::account(std::int64_t bytes)
{
    m_count->now += bytes;
    m_count->peak = std::max(m_count->peak, m_count->now);
    return {nullptr, [count = m_count, bytes](void*) { count->now -= bytes; }};
}

} // namespace plimsoll::kernels
