#pragma once

#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/launch/cuda_walk.h"
#include "kernels/cuda/launch/number.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// A block of elements inside a dense tensor.
struct Region
{
    TensorView tensor;
    std::int64_t offset = 0; ///< Elements; of the first one.
    Shape strides;           ///< Elements.
};

template <typename T>
struct RegionBody
{
    struct Moved
    {
        T value;
        std::int64_t to;
    };
    const T* x;
    T* y;
    Walk<2> walk;

    PLIMSOLL_DEVICE Moved read(std::int64_t i) const
    {
        const Offsets<2> at = walk.at(i);
        return {x[at[0]], at[1]};
    }
    PLIMSOLL_DEVICE void write(std::int64_t /*i*/, const Moved& moved) const { y[moved.to] = moved.value; }
};

/// Where both tensors are walked along their neighbours, but along different dimensions.
///
///       x: down is dense               tile in shared memory            y: across is dense
///     ┌─────────────────┐              ┌──── Side + 1 ───┐            ┌─────────────────┐
///     │ Side neighbours │  ─ rows ──►  │ Side², and a    │ ─ columns ►│ Side neighbours │
///     └─────────────────┘              │ column aside    │            └─────────────────┘
///                                      └─────────────────┘
template <typename T, int Side>
struct TransposeBody
{
    static constexpr int Threads = 256;
    struct Shared
    {
        T tile[Side][Side + 1]; // + 1: threads that read a column hit different banks
    };
    const T* x;
    T* y;
    std::int64_t across; ///< Elements that are neighbours in y, …
    std::int64_t down;   ///< … and those that are in x.
    std::int64_t xStep;  ///< From one across to the next, in x.
    std::int64_t yStep;  ///< From one down to the next, in y.
    Divisor tilesAcross;
    Divisor tilesDown;
    Walk<2> batch;

    [[nodiscard]] std::int64_t blocks() const { return batch.count * tilesAcross.size * tilesDown.size; }

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        constexpr int Lines = Threads / Side;   // of a tile that are under way at once
        constexpr int PerThread = Side / Lines; // its loads go ahead of its stores
        const std::int64_t across0 = block.index % tilesAcross * Side;
        const std::int64_t down0 = block.index / tilesAcross % tilesDown * Side;
        const Offsets<2> begin = batch.at(block.index / tilesAcross / tilesDown);
        block.each([&](int t) {
            const int line = t / Side;
            const std::int64_t left = down0 + t % Side < down ? across - across0 - line : 0;
            const T* from = x + begin[0] + down0 + t % Side + (across0 + line) * xStep;
            T values[PerThread] = {};
            PLIMSOLL_UNROLL
            for (int i = 0; i < PerThread; ++i, from += Lines * xStep) {
                if (i * Lines < left) values[i] = *from;
            }
            PLIMSOLL_UNROLL
            for (int i = 0; i < PerThread; ++i)
                shared.tile[line + i * Lines][t % Side] = values[i];
        });
        block.alone([&](int t) {
            const int line = t / Side;
            const std::int64_t left = across0 + t % Side < across ? down - down0 - line : 0;
            T* to = y + begin[1] + across0 + t % Side + (down0 + line) * yStep;
            PLIMSOLL_UNROLL
            for (int i = 0; i < PerThread; ++i, to += Lines * yStep) {
                if (i * Lines < left) *to = shared.tile[t % Side][line + i * Lines];
            }
        });
    }
};

/// The dimension of a walk along which the first operand is dense where the second is dense along another one, and both
/// are long enough for tiles; -1 for none.
inline int transposedDimension(const Walk<2>& walk)
{
    constexpr std::int64_t Least = 8;
    if (walk.rank < 2 || walk.strides[1][0] != 1 || walk.strides[0][0] == 1 || walk.sizes[0] < Least) return -1;
    for (int d = 1; d < walk.rank; ++d) {
        if (walk.strides[0][d] == 1 && walk.sizes[d] >= Least) return d;
    }
    return -1;
}

/// The walk without two of its dimensions.
inline Walk<2> withoutDimensions(const Walk<2>& walk, int first, int second)
{
    Walk<2> rest;
    for (int d = 0; d < walk.rank; ++d) {
        if (d == first || d == second) continue;
        rest.sizes[rest.rank] = walk.sizes[d];
        for (int o = 0; o < 2; ++o)
            rest.strides[o][rest.rank] = walk.strides[o][d];
        rest.count *= walk.sizes[d];
        ++rest.rank;
    }
    for (int d = 0; d < rest.rank; ++d)
        rest.divisors[d] = Divisor(rest.sizes[d], rest.count);
    return rest;
}

template <int Side, typename T>
void transposeTiles(Queue& queue, const T* x, T* y, const Walk<2>& walk, int dense)
{
    const auto tiles = [](std::int64_t size) { return Divisor((size + Side - 1) / Side); };
    TransposeBody<T, Side> body {x,
                                 y,
                                 walk.sizes[0],
                                 walk.sizes[dense],
                                 walk.strides[0][0],
                                 walk.strides[1][dense],
                                 tiles(walk.sizes[0]),
                                 tiles(walk.sizes[dense]),
                                 withoutDimensions(walk, 0, dense)};
    forBlocks(queue, walk.count > 0 ? body.blocks() : 0, body);
}

/// A tile of 64 × 64 keeps more loads under way; one of wide elements, or of a narrow matrix, would be mostly empty or
/// fill a multiprocessor's shared memory.
template <typename T>
void transposeRegion(Queue& queue, const T* x, T* y, const Walk<2>& walk, int dense)
{
    if constexpr (sizeof(T) <= 4) {
        if (walk.sizes[0] > 32 && walk.sizes[dense] > 32) return transposeTiles<64>(queue, x, y, walk, dense);
    }
    transposeTiles<32>(queue, x, y, walk, dense);
}

/// Copies a block of \p shape. Both tensors have the same element type and do not overlap.
inline Status copyRegion(DeviceCall& call, const Region& from, const Region& to, const Shape& shape)
{
    if (!isMovable(from.tensor.dtype)) return declineType(call, from.tensor.dtype);
    const auto walk = walkOver<2>(shape, {from.strides, to.strides});
    if (!walk) return decline(call, say("cuda.rank"));
    const int dense = transposedDimension(*walk);
    visitWidth(from.tensor.dtype, [&]<typename T>() {
        const T* x = from.tensor.as<const T>() ? from.tensor.as<const T>() + from.offset : nullptr;
        T* y = to.tensor.as<T>() ? to.tensor.as<T>() + to.offset : nullptr;
        if (dense > 0) {
            transposeRegion(call.queue(), x, y, *walk, dense);
        } else {
            forEach(call.queue(), walk->count, RegionBody<T> {x, y, *walk});
        }
    });
    return {};
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
