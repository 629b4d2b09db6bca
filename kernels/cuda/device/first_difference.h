#pragma once

#include "kernels/cuda/launch/launch.h"

#include <cstddef>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// One block looks through a range of bytes; each thread stops at the first that is not the pattern. Canaries are a few
/// hundred bytes, so one block is enough.
struct DifferenceBody
{
    static constexpr int Threads = 256;
    struct Shared
    {
        std::int64_t first[Threads];
    };
    const std::byte* data;
    std::int64_t bytes;
    std::byte pattern;
    std::int64_t* found;

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        block.each([&](int t) {
            std::int64_t i = t;
            while (i < bytes && data[i] == pattern)
                i += Threads;
            shared.first[t] = i < bytes ? i : bytes;
        });
        for (int width = Threads / 2; width > 0; width /= 2) {
            block.each([&](int t) {
                if (t < width && shared.first[t + width] < shared.first[t]) shared.first[t] = shared.first[t + width];
            });
        }
        block.each([&](int t) {
            if (t == 0) *found = shared.first[0];
        });
    }
};

inline void findDifference(Queue& queue, const std::byte* data, std::int64_t bytes, std::byte pattern,
                           std::int64_t* found)
{
    forBlocks(queue, bytes > 0 ? 1 : 0, DifferenceBody {data, bytes, pattern, found});
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
