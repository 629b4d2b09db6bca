// Memory of whole vectors comes in pages of 2 MiB where the system has them. A plan of a million buffers touches
// 2 GiB; in pages of 4 KiB the system's work for it is as long as the planning itself (faults 700,000 → 85,000). Every
// program that is linked with this library allocates so: these are the global operators.
// https://docs.kernel.org/admin-guide/mm/transhuge.html

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

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

} // namespace

void* operator new(std::size_t bytes)
{
    for (;;) {
        if (void* const memory = allocate(bytes)) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
