#pragma once

#include "kernels/cuda/launch/divisor.h"
#include "kernels/cuda/launch/lanes.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Which elements are normalized together: \c count groups of runs of \c run neighbours, \c stride apart.
///
///     channels of [N, C, H, W]:  C groups of N runs of H · W, C · H · W apart
///     rows:                      as many groups of 1 run
struct Groups
{
    std::int64_t count;
    std::int64_t elements; ///< Of a group.
    Divisor run;
    std::int64_t stride;

    PLIMSOLL_DEVICE std::int64_t size() const { return elements; }
    PLIMSOLL_DEVICE std::int64_t at(std::int64_t group, std::int64_t i) const
    {
        return i / run * stride + group * run.size + i % run;
    }
};

inline Groups groupsOf(std::int64_t count, std::int64_t outer, std::int64_t run, std::int64_t stride)
{
    return {count, outer * run, Divisor(run, outer * run), stride};
}

/// The mean of \p term(thread, i) over the elements of a group, for every thread of the block that has the group.
template <int Threads, typename Block, typename Own, typename Term>
PLIMSOLL_DEVICE void averageOver(const Block& block, float (&slots)[Threads], std::int64_t size, Own& result,
                                 const Term& term)
{
    block.alone([&](int t) {
        result[t] = 0;
        for (std::int64_t i = t; i < size; i += Threads)
            result[t] += term(t, i);
    });
    foldLanes(block, allLanes<Threads>(), result, slots, [](float a, float b) { return a + b; });
    block.alone([&](int t) { result[t] /= static_cast<float>(size); });
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
