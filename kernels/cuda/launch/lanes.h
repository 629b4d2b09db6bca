#pragma once

#include "kernels/cuda/launch/launch.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// How the threads of a block share out several rows that each fold to one outcome: some lanes work on each row.
///
///     rows lie along memory: neighbours in a row are neighbouring lanes      t = row * lanes + lane
///     rows lie across it:    neighbouring rows are neighbouring threads      t = lane * rows + row
struct Lanes
{
    int laneBits = 0; ///< Both numbers are powers of two, so that a thread finds its place without a division.
    int rowBits = 0;  ///< Of a block: threads / lanes.
    bool along = true;

    PLIMSOLL_ANYWHERE int lanes() const { return 1 << laneBits; }
    PLIMSOLL_ANYWHERE int rows() const { return 1 << rowBits; }
    PLIMSOLL_DEVICE int laneOf(int thread) const { return along ? thread & (lanes() - 1) : thread >> rowBits; }
    PLIMSOLL_DEVICE int rowOf(int thread) const { return along ? thread >> laneBits : thread & (rows() - 1); }
    /// Where a thread leaves what it folded: lane by lane.
    PLIMSOLL_DEVICE int slotOf(int thread) const { return (laneOf(thread) << rowBits) + rowOf(thread); }
};

/// For rows of \p count elements, \p rows of them in all.
inline Lanes lanesFor(std::int64_t rows, std::int64_t count, bool along, int threads)
{
    Lanes lanes {0, 0, along};
    while (lanes.rows() < threads)
        ++lanes.rowBits;
    const auto wanted = [&] { return along ? lanes.lanes() < count : lanes.rows() > 32 || lanes.rows() / 2 >= rows; };
    while (lanes.rowBits > 0 && wanted()) {
        ++lanes.laneBits;
        --lanes.rowBits;
    }
    return lanes;
}

/// The same, where a lane takes about \p most elements of a row along memory, if there are rows enough to fill a device
/// even so.
inline Lanes lanesTaking(std::int64_t most, std::int64_t rows, std::int64_t count, bool along, int threads)
{
    constexpr std::int64_t FillingThreads = 132 * 1024; // half of what an H100 keeps under way
    constexpr std::int64_t Neighbours = 16;             // so many at least read next to each other
    const std::int64_t least = std::max<std::int64_t>((count + most - 1) / most, Neighbours);
    const std::int64_t wanted = std::max(least, FillingThreads / std::max<std::int64_t>(rows, 1));
    return lanesFor(rows, std::min(count, wanted), along, threads);
}

/// All threads of a block on one row.
template <int Threads>
PLIMSOLL_DEVICE Lanes allLanes()
{
    static_assert((Threads & (Threads - 1)) == 0);
    int bits = 0;
    while (1 << bits < Threads)
        ++bits;
    return {bits, 0, true};
}

/// Folds what the lanes of each row have: every thread then has what its row came to. \p slots has one for each thread.
template <typename Block, typename Own, typename Slot, typename Join>
PLIMSOLL_DEVICE void foldLanes(const Block& block, const Lanes& lanes, Own& own, Slot* slots, const Join& join)
{
    if (lanes.along) {
        block.joinNeighbours(own, lanes.lanes() < Warp ? lanes.lanes() : Warp, join);
        const int warps = lanes.lanes() / Warp; // of a row
        if (warps < 2) return;
        block.each([&](int t) {
            if (t % Warp == 0) slots[t / Warp] = own[t];
        });
        block.each([&](int t) { own[t] = slots[lanes.rowOf(t) * warps + t % warps]; });
        block.joinNeighbours(own, warps, join);
        return;
    }
    block.each([&](int t) { slots[lanes.slotOf(t)] = own[t]; });
    for (int width = lanes.lanes() / 2; width > 0; width /= 2) {
        block.each([&](int t) {
            if (t < width * lanes.rows()) slots[t] = join(slots[t], slots[t + width * lanes.rows()]);
        });
    }
    block.each([&](int t) { own[t] = slots[lanes.rowOf(t)]; });
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
