#pragma once

#include <cstddef>
#include <cstdint>

namespace plimsoll {

/// What a thread may still allocate; the operators new and delete of large_memory.cpp keep it.
struct MemoryAllowance
{
    bool limited = false;
    bool exceeded = false;
    std::int64_t left = 0; ///< Bytes.
};
extern constinit thread_local MemoryAllowance memoryAllowance;

/// While it lives, its thread holds at most so many bytes more than before: what would be beyond ends in
/// std::bad_alloc. Other threads are free, and so are builds with sanitizers, whose operators are their own.
class MemoryLimit
{
public:
    explicit MemoryLimit(std::size_t bytes);
    ~MemoryLimit() { memoryAllowance = m_before; }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

    [[nodiscard]] bool exceeded() const { return memoryAllowance.exceeded; }

private:
    MemoryAllowance m_before;
};

/// Gives the system those pages of the heap that hold nothing any more. The library keeps them for small pieces, while
/// large ones are taken anew.
void giveBackPages();

} // namespace plimsoll
