// Memory of whole vectors comes in pages of 2 MiB where the system has them. A plan of a million buffers touches
// 2 GiB; in pages of 4 KiB the system's work for it is as long as the planning itself (faults 700,000 → 70,000, time in
// all 25 → 14 s). Every program that is linked with this library allocates so: these are the global operators.
// https://docs.kernel.org/admin-guide/mm/transhuge.html

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t LargePage = std::size_t {2} << 20; // bytes
constexpr std::size_t Large = 2 * LargePage;             // what is smaller would waste too much of its last page

void* allocate(std::size_t bytes)
{
    if (bytes < Large || bytes > SIZE_MAX - LargePage) return std::malloc(bytes > 0 ? bytes : 1);
    const std::size_t whole = (bytes + LargePage - 1) / LargePage * LargePage;
    void* const memory = std::aligned_alloc(LargePage, whole);
    if (memory) madvise(memory, bytes, MADV_HUGEPAGE); // a wish: where it is refused, the pages are small
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
