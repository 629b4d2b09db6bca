#pragma once

#include "kernels/common/strides.h"
#include "kernels/cuda/launch/divisor.h"
#include "kernels/cuda/launch/lanes.h"
#include "kernels/cuda/launch/number.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

inline constexpr int RowThreads = 256;

/// Rows of \c count elements that lie \c step apart.
struct Rows
{
    std::int64_t rows;
    std::int64_t count;
    Divisor step;
    Lanes lanes;

    [[nodiscard]] std::int64_t blocks() const { return (rows + lanes.rows() - 1) / lanes.rows(); }
    /// The first element of a row.
    PLIMSOLL_DEVICE std::int64_t begin(std::int64_t row) const { return row / step * step.size * count + row % step; }
    /// Calls \p visit with the position of every element of a lane.
    template <typename Visit>
    PLIMSOLL_DEVICE void visitLane(std::int64_t row, int lane, const Visit& visit) const
    {
        if (row >= rows) return;
        const std::int64_t first = begin(row);
        for (std::int64_t i = lane; i < count; i += lanes.lanes())
            visit(first + i * step.size);
    }
};

inline Rows rowsOf(std::int64_t rows, std::int64_t count, std::int64_t step)
{
    return {rows, count, Divisor(step, rows), lanesFor(rows, count, step == 1, RowThreads)};
}

/// Each row is read to its end before any of it is written, so that both tensors may be the same bytes.
template <typename T, bool Log>
struct SoftmaxBody
{
    static constexpr int Threads = RowThreads;
    struct Shared
    {
        float slots[Threads];
    };
    const T* x;
    T* y;
    Rows rows;

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        const Lanes& lanes = rows.lanes;
        const std::int64_t first = block.index * lanes.rows();
        typename Block::template Own<float> most;
        typename Block::template Own<float> sum;
        block.each([&](int t) {
            most[t] = -HUGE_VALF;
            rows.visitLane(first + lanes.rowOf(t), lanes.laneOf(t), [&](std::int64_t i) {
                if (!(load(x[i]) <= most[t])) most[t] = load(x[i]);
            });
            shared.slots[lanes.slotOf(t)] = most[t];
        });
        joinLanes(block, lanes, shared.slots, [](float a, float b) { return a != a || a > b ? a : b; });
        block.each([&](int t) { most[t] = shared.slots[lanes.rowOf(t)]; });
        block.each([&](int t) {
            sum[t] = 0;
            rows.visitLane(first + lanes.rowOf(t), lanes.laneOf(t),
                           [&](std::int64_t i) { sum[t] += expf(load(x[i]) - most[t]); });
            shared.slots[lanes.slotOf(t)] = sum[t];
        });
        joinLanes(block, lanes, shared.slots, [](float a, float b) { return a + b; });
        block.each([&](int t) {
            sum[t] = shared.slots[lanes.rowOf(t)];
            rows.visitLane(first + lanes.rowOf(t), lanes.laneOf(t), [&](std::int64_t i) {
                const float shifted = load(x[i]) - most[t];
                y[i] = rounded<T>(Log ? shifted - logf(sum[t]) : expf(shifted) / sum[t]);
            });
        });
    }
};

/// Of every slice along the axis that \p split cuts at.
template <typename T, bool Log>
void softmaxAlong(Queue& queue, const AxisSplit& split, const T* x, T* y)
{
    const Rows rows = rowsOf(split.outer * split.inner, split.size, split.inner);
    forBlocks(queue, split.size > 0 ? rows.blocks() : 0, SoftmaxBody<T, Log> {x, y, rows});
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
