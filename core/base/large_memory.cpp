// Memory of whole vectors comes in pages of 2 MiB where the system has them. A plan of a million buffers touches
// 2 GiB; in pages of 4 KiB the system's work for it is as long as the planning itself (faults 700,000 → 85,000). Every
// program that is linked with this library allocates so: these are the global operators.
// https://docs.kernel.org/admin-guide/mm/transhuge.html

#include "core/base/heap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t Large = std::size_t {4} << 20; // bytes: what is smaller has hardly a large page inside

// Each goes back to the system as soon as it is freed: the allocator would keep those below 32 MiB.
const bool givenBack = mallopt(M_MMAP_THRESHOLD, Large) != 0;

void* allocate(std::size_t bytes)
{
    void* const memory = std::malloc(bytes > 0 ? bytes : 1);
    if (!memory || bytes < Large) return memory;
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE); // a wish: else the pages are small
    return memory;
}

/// Bytes, with what the allocator keeps in front; 0 of nothing.
std::int64_t sizeOf(void* memory)
{
    return memory ? static_cast<std::int64_t>(malloc_usable_size(memory) + sizeof(std::size_t)) : 0;
}

} // namespace

using plimsoll::MemoryAllowance;

void* operator new(std::size_t bytes)
{
    MemoryAllowance& allowance = plimsoll::memoryAllowance;
    if (allowance.limited && static_cast<std::uint64_t>(std::max<std::int64_t>(allowance.left, 0)) < bytes) {
        allowance.exceeded = true;
        throw std::bad_alloc();
    }
    for (;;) {
        if (void* const memory = allocate(bytes)) {
            if (allowance.limited) allowance.left -= sizeOf(memory);
            return memory;
        }
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* memory) noexcept
{
    if (plimsoll::memoryAllowance.limited) plimsoll::memoryAllowance.left += sizeOf(memory);
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    operator delete(memory);
}
