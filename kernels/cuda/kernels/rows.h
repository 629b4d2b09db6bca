#pragma once

#include "kernels/common/strides.h"
#include "kernels/cuda/launch/divisor.h"
#include "kernels/cuda/launch/lanes.h"
#include "kernels/cuda/launch/number.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

inline constexpr int RowThreads = 256;

inline constexpr int MostHeld = 16; ///< Elements that a lane keeps in registers.

/// Rows of \c count elements that lie \c step apart.
struct Rows
{
    std::int64_t rows;
    std::int64_t count;
    Divisor step;
    Lanes lanes;

    [[nodiscard]] std::int64_t blocks() const { return (rows + lanes.rows() - 1) / lanes.rows(); }
    [[nodiscard]] bool areHeld() const { return count <= std::int64_t {MostHeld} * lanes.lanes(); }
    /// The first element of a row.
    PLIMSOLL_DEVICE std::int64_t begin(std::int64_t row) const { return row / step * step.size * count + row % step; }
};

/// A lane takes as many elements as it can hold, where there are rows enough to fill a device even so.
inline Rows rowsOf(std::int64_t rows, std::int64_t count, std::int64_t step)
{
    constexpr std::int64_t FillingThreads = 132 * 1024; // half of what an H100 keeps under way
    const std::int64_t holding = std::max<std::int64_t>((count + MostHeld - 1) / MostHeld, 32);
    const std::int64_t wanted = std::max(holding, FillingThreads / std::max<std::int64_t>(rows, 1));
    return {rows, count, Divisor(step, rows), lanesFor(rows, std::min(count, wanted), step == 1, RowThreads)};
}

/// What one lane has of a row: in registers where it can hold them, else read again by each visit.
template <typename T, bool Held>
struct LaneElements
{
    float values[Held ? MostHeld : 1] = {};

    PLIMSOLL_DEVICE void take(const Rows& rows, std::int64_t row, int lane, const T* x)
    {
        if constexpr (Held) {
            if (row >= rows.rows) return;
            const T* from = x + rows.begin(row) + lane * rows.step.size;
            const std::int64_t step = rows.lanes.lanes() * rows.step.size;
            PLIMSOLL_UNROLL
            for (int k = 0; k < MostHeld; ++k) {
                if (lane + k * rows.lanes.lanes() < rows.count) values[k] = load(from[k * step]);
            }
        }
    }
    /// Calls \p visit with the position of each element, and its value, which lasts until the next visit where it is
    /// held.
    template <typename Visit>
    PLIMSOLL_DEVICE void visit(const Rows& rows, std::int64_t row, int lane, const T* x, const Visit& visit)
    {
        if (row >= rows.rows) return;
        const std::int64_t first = rows.begin(row);
        if constexpr (Held) {
            PLIMSOLL_UNROLL
            for (int k = 0; k < MostHeld; ++k) {
                const int i = lane + k * rows.lanes.lanes();
                if (i < rows.count) visit(first + i * rows.step.size, values[k]);
            }
        } else {
            for (std::int64_t i = lane; i < rows.count; i += rows.lanes.lanes()) {
                float value = load(x[first + i * rows.step.size]);
                visit(first + i * rows.step.size, value);
            }
        }
    }
};

/// Calls \p launch with whether lanes hold their elements.
template <typename Launch>
void visitHeld(const Rows& rows, const Launch& launch)
{
    rows.areHeld() ? launch.template operator()<true>() : launch.template operator()<false>();
}

/// Each row is read to its end before any of it is written, so that both tensors may be the same bytes.
template <typename T, bool Log, bool Held>
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
        typename Block::template Own<LaneElements<T, Held>> elements;
        typename Block::template Own<float> most;
        typename Block::template Own<float> sum;
        const auto visit = [&](int t, const auto& each) {
            elements[t].visit(rows, first + lanes.rowOf(t), lanes.laneOf(t), x, each);
        };
        block.each([&](int t) {
            elements[t].take(rows, first + lanes.rowOf(t), lanes.laneOf(t), x);
            most[t] = -HUGE_VALF;
            visit(t, [&](std::int64_t, float value) {
                if (!(value <= most[t])) most[t] = value;
            });
            shared.slots[lanes.slotOf(t)] = most[t];
        });
        joinLanes(block, lanes, shared.slots, [](float a, float b) { return a != a || a > b ? a : b; });
        block.each([&](int t) { most[t] = shared.slots[lanes.rowOf(t)]; });
        block.each([&](int t) {
            sum[t] = 0;
            visit(t, [&](std::int64_t, float& value) {
                const float power = expf(value - most[t]);
                sum[t] += power;
                if constexpr (Held && !Log) value = power;
            });
            shared.slots[lanes.slotOf(t)] = sum[t];
        });
        joinLanes(block, lanes, shared.slots, [](float a, float b) { return a + b; });
        block.each([&](int t) {
            sum[t] = shared.slots[lanes.rowOf(t)];
            const float last = Log ? logf(sum[t]) : 1 / sum[t];
            visit(t, [&](std::int64_t i, float value) {
                if constexpr (Log) {
                    y[i] = rounded<T>(value - most[t] - last);
                } else {
                    y[i] = rounded<T>((Held ? value : expf(value - most[t])) * last);
                }
            });
        });
    }
};

/// Of every slice along the axis that \p split cuts at.
template <typename T, bool Log>
void softmaxAlong(Queue& queue, const AxisSplit& split, const T* x, T* y)
{
    const Rows rows = rowsOf(split.outer * split.inner, split.size, split.inner);
    visitHeld(rows, [&]<bool Held>() {
        forBlocks(queue, split.size > 0 ? rows.blocks() : 0, SoftmaxBody<T, Log, Held> {x, y, rows});
    });
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
