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
