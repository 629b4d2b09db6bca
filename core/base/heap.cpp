#include "core/base/heap.h"

#include <cstdlib>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace plimsoll {

constinit thread_local MemoryAllowance memoryAllowance;

MemoryLimit::MemoryLimit(std::size_t bytes)
    : m_before(std::exchange(memoryAllowance, {true, false, static_cast<std::int64_t>(bytes)}))
{
}

void giveBackPages()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace plimsoll
