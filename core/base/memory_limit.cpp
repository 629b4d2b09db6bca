#include "core/base/memory_limit.h"

#include <utility>

namespace plimsoll {

constinit thread_local MemoryAllowance memoryAllowance;

MemoryLimit::MemoryLimit(std::size_t bytes)
    : m_before(std::exchange(memoryAllowance, {true, false, static_cast<std::int64_t>(bytes)}))
{
}

} // namespace plimsoll
