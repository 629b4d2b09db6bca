#pragma once

#include "kernels/cuda/launch/number.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// c = a · b of matrices that need not lie in memory as such: \c Problem says where the elements are, so that a
/// convolution is a product, too (its windows are never written out).
///
///     Problem:  rows, columns, depth, parts          parts are products beside each other: batches, groups
///               a(part, row, k) → float              0 beyond what is there is not its business
///               b(part, k, column) → float
///               write(part, row, column, float)
///
/// A block makes a tile of 64 × 64; each of its threads a square of 4 × 4 of it. Slices of both factors, 16 deep, are
/// brought to shared memory, where all threads of the block read them:
///
///                 16 ┌──── 64 ───┐
///                    │     b     │
///        16          ├───────────┤
///      ┌────┐     64 │  c (4 × 4 │
///      │ a  │        │  a thread)│
///      └────┘        └───────────┘
template <typename Problem>
struct ProductBody
{
    static constexpr int Threads = 256;
    static constexpr int Tile = 64;
    static constexpr int Deep = 16;
    static constexpr int Side = 4;
    struct Shared
    {
        float a[Deep][Tile + 1]; // + 1: threads that store a column hit different banks
        float b[Deep][Tile];
    };
    struct Square
    {
        float sums[Side][Side];
    };
    Problem problem;

    [[nodiscard]] std::int64_t blocks() const { return problem.parts * tiles(problem.rows) * tiles(problem.columns); }

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        const std::int64_t across = tiles(problem.columns);
        const std::int64_t down = tiles(problem.rows);
        const std::int64_t column = block.index % across * Tile;
        const std::int64_t row = block.index / across % down * Tile;
        const std::int64_t part = block.index / across / down;
        typename Block::template Own<Square> own;
        block.each([&](int t) { own[t] = {}; });
        for (std::int64_t depth = 0; depth < problem.depth; depth += Deep) {
            block.each([&](int t) {
                bringA(shared, part, row, depth, t);
                bringB(shared, part, column, depth, t);
            });
            block.each([&](int t) { multiply(shared, own[t], t); });
        }
        block.each([&](int t) { write(own[t], part, row, column, t); });
    }

private:
    PLIMSOLL_ANYWHERE static std::int64_t tiles(std::int64_t size) { return (size + Tile - 1) / Tile; }

    /// Neighbouring threads read neighbours along the depth.
    PLIMSOLL_DEVICE void bringA(Shared& shared, std::int64_t part, std::int64_t row, std::int64_t depth, int t) const
    {
        for (int i = t; i < Deep * Tile; i += Threads) {
            const std::int64_t r = row + i / Deep;
            const std::int64_t k = depth + i % Deep;
            shared.a[i % Deep][i / Deep] = r < problem.rows && k < problem.depth ? problem.a(part, r, k) : 0;
        }
    }
    /// Neighbouring threads read neighbouring columns.
    PLIMSOLL_DEVICE void bringB(Shared& shared, std::int64_t part, std::int64_t column, std::int64_t depth, int t) const
    {
        for (int i = t; i < Deep * Tile; i += Threads) {
            const std::int64_t k = depth + i / Tile;
            const std::int64_t c = column + i % Tile;
            shared.b[i / Tile][i % Tile] = k < problem.depth && c < problem.columns ? problem.b(part, k, c) : 0;
        }
    }
    /// A thread's rows and columns lie 16 apart, so that neighbours read neighbouring banks.
    PLIMSOLL_DEVICE static void multiply(const Shared& shared, Square& own, int t)
    {
        for (int k = 0; k < Deep; ++k) {
            for (int i = 0; i < Side; ++i) {
                for (int j = 0; j < Side; ++j)
                    own.sums[i][j] += shared.a[k][t / 16 + 16 * i] * shared.b[k][t % 16 + 16 * j];
            }
        }
    }
    PLIMSOLL_DEVICE void write(const Square& own, std::int64_t part, std::int64_t row, std::int64_t column, int t) const
    {
        for (int i = 0; i < Side; ++i) {
            for (int j = 0; j < Side; ++j) {
                const std::int64_t r = row + t / 16 + 16 * i;
                const std::int64_t c = column + t % 16 + 16 * j;
                if (r < problem.rows && c < problem.columns) problem.write(part, r, c, own.sums[i][j]);
            }
        }
    }
};

template <typename Problem>
void multiply(Queue& queue, const Problem& problem)
{
    const ProductBody<Problem> body {problem};
    forBlocks(queue, problem.rows > 0 && problem.columns > 0 ? body.blocks() : 0, body);
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
