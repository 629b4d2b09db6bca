#pragma once

#include "kernels/cuda/kernels/reduce.h"
#include "kernels/cuda/launch/lanes.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Running sums along lines: the lanes of a line read a tile of it, add up from neighbour to neighbour in doubling
/// steps, and take what came before along.
///
///     x      3 1 4 1 | 5 9 2 6
///     step 1 3 4 5 5
///     step 2 3 4 8 9 | + 9
template <typename T>
struct CumulativeBody
{
    static constexpr int Threads = 256;
    using Sum = Computed<T>;
    struct Shared
    {
        Sum slots[Threads];
    };
    const T* x;
    T* y;
    AxisSplit split;
    Lanes lanes;
    bool exclusive;
    bool reverse;

    [[nodiscard]] std::int64_t lines() const { return split.outer * split.inner; }
    [[nodiscard]] std::int64_t blocks() const { return (lines() + lanes.rows() - 1) / lanes.rows(); }

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        typename Block::template Own<Sum> carry;
        typename Block::template Own<Sum> neighbour;
        const std::int64_t first = block.index * lanes.rows();
        block.each([&](int t) { carry[t] = 0; });
        for (std::int64_t begin = 0; begin < split.size; begin += lanes.lanes()) {
            block.each([&](int t) {
                const std::int64_t at = place(first + lanes.rowOf(t), begin + lanes.laneOf(t));
                shared.slots[lanes.slotOf(t)] = at < 0 ? 0 : load(x[at]);
            });
            addUp(block, shared, neighbour);
            block.each([&](int t) {
                const std::int64_t at = place(first + lanes.rowOf(t), begin + lanes.laneOf(t));
                const Sum sum = functions::Plus()(carry[t], shared.slots[lanes.slotOf(t)]);
                const Sum past = lanes.laneOf(t) == 0 ? 0 : shared.slots[lanes.slotOf(t) - lanes.rows()];
                if (at >= 0) y[at] = rounded<T>(exclusive ? functions::Plus()(carry[t], past) : sum);
                carry[t] =
                    functions::Plus()(carry[t], shared.slots[(lanes.lanes() - 1) * lanes.rows() + lanes.rowOf(t)]);
            });
        }
    }

private:
    /// Of element \p i of a line, in the direction of the sum; -1 where there is none.
    PLIMSOLL_DEVICE std::int64_t place(std::int64_t line, std::int64_t i) const
    {
        if (line >= split.outer * split.inner || i >= split.size) return -1;
        const std::int64_t along = reverse ? split.size - 1 - i : i;
        return (line / split.inner * split.size + along) * split.inner + line % split.inner;
    }
    template <typename Block, typename Own>
    PLIMSOLL_DEVICE void addUp(const Block& block, Shared& shared, Own& neighbour) const
    {
        for (int reach = 1; reach < lanes.lanes(); reach *= 2) {
            block.each([&](int t) {
                const bool has = lanes.laneOf(t) >= reach;
                neighbour[t] = has ? shared.slots[lanes.slotOf(t) - reach * lanes.rows()] : Sum {0};
            });
            block.each([&](int t) {
                const int slot = lanes.slotOf(t);
                shared.slots[slot] = functions::Plus()(shared.slots[slot], neighbour[t]);
            });
        }
    }
};

/// \p x and \p y may be the same bytes.
template <typename T>
void sumAlong(Queue& queue, const AxisSplit& split, const T* x, T* y, bool exclusive, bool reverse)
{
    const Lanes lanes = lanesFor(split.outer * split.inner, split.size, split.inner == 1, CumulativeBody<T>::Threads);
    const CumulativeBody<T> body {x, y, split, lanes, exclusive, reverse};
    forBlocks(queue, split.size > 0 ? body.blocks() : 0, body);
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
