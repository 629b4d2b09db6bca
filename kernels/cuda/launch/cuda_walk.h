#pragma once

#include "kernels/common/strides.h"
#include "kernels/cuda/launch/divisor.h"

#include <array>
#include <optional>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

inline constexpr int MaxRank = 8; ///< After neighbours were joined.

template <int Operands>
struct Offsets
{
    std::int64_t of[Operands];
    PLIMSOLL_DEVICE std::int64_t operator[](int operand) const { return of[operand]; }
};

/// Where the elements of a shape lie in several tensors, by their position in row-major order.
template <int Operands>
struct Walk
{
    int rank = 0;
    std::int64_t count = 1;
    std::int64_t sizes[MaxRank] = {}; ///< Innermost first.
    Divisor divisors[MaxRank];
    std::int64_t strides[Operands][MaxRank] = {};

    PLIMSOLL_DEVICE Offsets<Operands> at(std::int64_t index) const
    {
        Offsets<Operands> offsets;
        for (int o = 0; o < Operands; ++o)
            offsets.of[o] = 0;
        std::int64_t rest = index;
        for (int d = 0; d + 1 < rank; ++d) {
            const std::int64_t next = rest / divisors[d];
            for (int o = 0; o < Operands; ++o)
                offsets.of[o] += (rest - next * sizes[d]) * strides[o][d];
            rest = next;
        }
        const int last = rank > 0 ? rank - 1 : 0;
        for (int o = 0; o < Operands; ++o)
            offsets.of[o] += rest * strides[o][last];
        return offsets;
    }
};

/// Two operands one of which is dense, and the other the same again and again: the element \c i / plane % count of it
/// belongs to position \c i. Bias of a row, of a channel, a scalar.
///
///     [2, 3, 4] with [3, 1]:   plane 4, count 3      0 0 0 0 1 1 1 1 2 2 2 2 | 0 0 0 0 …
struct Repeat
{
    int operand; ///< Which of the two repeats.
    Divisor plane;
    Divisor count;

    PLIMSOLL_DEVICE Offsets<2> at(std::int64_t index) const
    {
        const std::int64_t repeated = index / plane % count;
        return {operand == 0 ? repeated : index, operand == 0 ? index : repeated};
    }
};

/// Empty where the operands of \p walk are not so.
inline std::optional<Repeat> repeatOf(const Walk<2>& walk)
{
    const auto isDense = [&](int operand) {
        std::int64_t step = 1;
        bool dense = true;
        for (int d = 0; d < walk.rank; step *= walk.sizes[d++])
            dense = dense && walk.strides[operand][d] == step;
        return dense;
    };
    if (walk.rank < 1 || isDense(0) == isDense(1)) return std::nullopt;
    const int operand = isDense(0) ? 1 : 0;
    std::int64_t plane = 1;
    std::int64_t count = 1;
    for (int d = 0; d < walk.rank; ++d) {
        const std::int64_t stride = walk.strides[operand][d];
        if (stride != 0 && (stride != 1 || count != 1)) return std::nullopt;
        if (stride != 0) count = walk.sizes[d];
        if (stride == 0 && count == 1) plane *= walk.sizes[d];
    }
    return Repeat {operand, Divisor(plane, walk.count), Divisor(count, walk.count)};
}

/// Joins dimensions where all operands allow it, so that dense ones are a single row. Empty where too many are left.
/// Strides are in elements.
template <std::size_t Operands>
std::optional<Walk<static_cast<int>(Operands)>> walkOver(const Shape& shape, const std::array<Shape, Operands>& strides)
{
    Walk<static_cast<int>(Operands)> walk;
    for (std::size_t d = shape.size(); d-- > 0;) {
        walk.count *= shape[d];
        if (shape[d] == 1) continue;
        bool joins = walk.rank > 0;
        for (std::size_t o = 0; joins && o < Operands; ++o)
            joins = strides[o][d] == walk.strides[o][walk.rank - 1] * walk.sizes[walk.rank - 1];
        if (joins) {
            walk.sizes[walk.rank - 1] *= shape[d];
            continue;
        }
        if (walk.rank == MaxRank) return std::nullopt;
        walk.sizes[walk.rank] = shape[d];
        for (std::size_t o = 0; o < Operands; ++o)
            walk.strides[o][walk.rank] = strides[o][d];
        ++walk.rank;
    }
    for (int d = 0; d < walk.rank; ++d)
        walk.divisors[d] = Divisor(walk.sizes[d], walk.count);
    return walk;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
