#pragma once

#include "kernels/common/strides.h"
#include "kernels/cuda/launch/divisor.h"
#include "kernels/cuda/launch/lanes.h"
#include "kernels/cuda/launch/number.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

inline constexpr int RowThreads = 256;

inline constexpr int MostHeld = 16; ///< Elements that a lane keeps in registers.

/// How a lane has its elements of a row.
enum class Taken : std::uint8_t {
    Fours, ///< In registers, four neighbours at a time.
    Ones,  ///< In registers, one by one.
    Again, ///< Read again whenever they are needed.
};

/// Rows of \c count elements that lie \c step apart.
struct Rows
{
    std::int64_t rows;
    std::int64_t count;
    Divisor step;
    Lanes lanes;

    [[nodiscard]] std::int64_t blocks() const { return (rows + lanes.rows() - 1) / lanes.rows(); }
    /// Of tensors that begin at \p x and \p y.
    template <typename T>
    [[nodiscard]] Taken howTaken(const T* x, const T* y) const
    {
        constexpr std::uintptr_t Bytes = 4 * sizeof(T);
        const auto isAligned = [](const T* data) { return reinterpret_cast<std::uintptr_t>(data) % Bytes == 0; };
        if (count > std::int64_t {MostHeld} * lanes.lanes() || count * step.size > INT32_MAX) return Taken::Again;
        return step.size == 1 && count % 4 == 0 && isAligned(x) && isAligned(y) ? Taken::Fours : Taken::Ones;
    }
};

/// A lane takes as many elements as it can hold.
inline Rows rowsOf(std::int64_t rows, std::int64_t count, std::int64_t step)
{
    return {rows, count, Divisor(step, rows), lanesTaking(MostHeld, rows, count, step == 1, RowThreads)};
}

/// What one lane has of a row.
template <typename T, Taken How>
struct LaneElements
{
    static constexpr int Width = How == Taken::Fours ? 4 : 1;
    struct alignas(Width * sizeof(T)) Neighbours
    {
        T of[Width];
    };
    float values[How == Taken::Again ? 1 : MostHeld] = {};

    PLIMSOLL_DEVICE void take(const Rows& rows, std::int64_t row, int lane, const T* x)
    {
        if (How == Taken::Again || row >= rows.rows) return;
        const T* from = x + begin(rows, row);
        forPlaces(rows, lane, [&](float* held, int, int offset) {
            const auto neighbours = *reinterpret_cast<const Neighbours*>(from + offset);
            PLIMSOLL_UNROLL
            for (int k = 0; k < Width; ++k)
                held[k] = load(neighbours.of[k]);
        });
    }
    /// Calls \p visit with each value. What it makes of it lasts where it is held.
    template <typename Visit>
    PLIMSOLL_DEVICE void visit(const Rows& rows, std::int64_t row, int lane, const T* x, const Visit& visit)
    {
        if (row >= rows.rows) return;
        if constexpr (How == Taken::Again) {
            const T* from = x + begin(rows, row);
            for (std::int64_t place = lane; place < rows.count; place += rows.lanes.lanes()) {
                float value = load(from[place * rows.step.size]);
                visit(value);
            }
        } else {
            forPlaces(rows, lane, [&](float* held, int, int) {
                PLIMSOLL_UNROLL
                for (int k = 0; k < Width; ++k)
                    visit(held[k]);
            });
        }
    }
    /// Writes what \p outcome says of each place and value.
    template <typename Outcome>
    PLIMSOLL_DEVICE void write(const Rows& rows, std::int64_t row, int lane, const T* x, T* y, const Outcome& outcome)
    {
        if (row >= rows.rows) return;
        const std::int64_t first = begin(rows, row);
        if constexpr (How == Taken::Again) {
            for (std::int64_t place = lane; place < rows.count; place += rows.lanes.lanes()) {
                const std::int64_t at = first + place * rows.step.size;
                y[at] = rounded<T>(outcome(place, load(x[at])));
            }
        } else {
            T* to = y + first;
            forPlaces(rows, lane, [&](const float* held, int place, int offset) {
                Neighbours neighbours;
                PLIMSOLL_UNROLL
                for (int k = 0; k < Width; ++k)
                    neighbours.of[k] = rounded<T>(outcome(place + k, held[k]));
                *reinterpret_cast<Neighbours*>(to + offset) = neighbours;
            });
        }
    }

private:
    /// The first element of a row.
    static PLIMSOLL_DEVICE std::int64_t begin(const Rows& rows, std::int64_t row)
    {
        if (How == Taken::Fours) return row * rows.count;
        return row / rows.step * rows.step.size * rows.count + row % rows.step;
    }
    template <typename Visit>
    PLIMSOLL_DEVICE void forPlaces(const Rows& rows, int lane, const Visit& visit)
    {
        const auto count = static_cast<int>(rows.count);
        const int step = Width > 1 ? 1 : static_cast<int>(rows.step.size);
        PLIMSOLL_UNROLL
        for (int k = 0; k < MostHeld / Width; ++k) {
            const int place = (lane + k * rows.lanes.lanes()) * Width;
            if (place < count) visit(values + k * Width, place, place * step);
        }
    }
};

/// Calls \p launch with how lanes have the elements of \p x.
template <typename T, typename Launch>
void visitTaken(const Rows& rows, const T* x, const T* y, const Launch& launch)
{
    switch (rows.howTaken(x, y)) {
    case Taken::Fours:
        return launch.template operator()<Taken::Fours>();
    case Taken::Ones:
        return launch.template operator()<Taken::Ones>();
    case Taken::Again:
        return launch.template operator()<Taken::Again>();
    }
}

/// Each row is read to its end before any of it is written, so that both tensors may be the same bytes.
template <typename T, bool Log, Taken How>
struct SoftmaxBody
{
    static constexpr int Threads = RowThreads;
    static constexpr bool KeepsPowers = How != Taken::Again && !Log;
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
        typename Block::template Own<LaneElements<T, How>> elements;
        typename Block::template Own<float> most;
        typename Block::template Own<float> sum;
        block.alone([&](int t) {
            const std::int64_t row = first + lanes.rowOf(t);
            elements[t].take(rows, row, lanes.laneOf(t), x);
            most[t] = -HUGE_VALF;
            elements[t].visit(rows, row, lanes.laneOf(t), x, [&](float value) {
                if (!(value <= most[t])) most[t] = value;
            });
        });
        foldLanes(block, lanes, most, shared.slots, [](float a, float b) { return a != a || a > b ? a : b; });
        block.alone([&](int t) {
            sum[t] = 0;
            elements[t].visit(rows, first + lanes.rowOf(t), lanes.laneOf(t), x, [&](float& value) {
                const float power = expf(value - most[t]);
                sum[t] += power;
                if constexpr (KeepsPowers) value = power;
            });
        });
        foldLanes(block, lanes, sum, shared.slots, [](float a, float b) { return a + b; });
        block.alone([&](int t) {
            const float last = Log ? logf(sum[t]) : 1 / sum[t];
            elements[t].write(rows, first + lanes.rowOf(t), lanes.laneOf(t), x, y, [&](auto, float value) {
                if constexpr (Log) return value - most[t] - last;
                return (KeepsPowers ? value : expf(value - most[t])) * last;
            });
        });
    }
};

/// Of every slice along the axis that \p split cuts at.
template <typename T, bool Log>
void softmaxAlong(Queue& queue, const AxisSplit& split, const T* x, T* y)
{
    const Rows rows = rowsOf(split.outer * split.inner, split.size, split.inner);
    visitTaken(rows, x, y, [&]<Taken How>() {
        forBlocks(queue, split.size > 0 ? rows.blocks() : 0, SoftmaxBody<T, Log, How> {x, y, rows});
    });
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
