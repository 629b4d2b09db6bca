#pragma once

#include "kernels/common/anywhere.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace plimsoll::kernels {

/// The number that the generator below draws as number \p i, from 0 on: it mixes a counter, so that threads of a device
/// need not wait for one another.
PLIMSOLL_ANYWHERE inline std::uint64_t randomBits(std::uint64_t seed, std::uint64_t i)
{
    std::uint64_t mixed = seed + (i + 1) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
}

/// In [0, 1).
PLIMSOLL_ANYWHERE inline double uniformNumber(std::uint64_t bits)
{
    return static_cast<double>(bits >> 11U) * 0x1p-53;
}

/// Numbers that look random and are the same for the same seed on every machine: a counter through a mixing function
/// (Steele, Lea, Flood 2014, "SplitMix").
class RandomNumbers
{
public:
    explicit RandomNumbers(std::uint64_t seed) : m_seed(seed) {}
    std::uint64_t bits() { return randomBits(m_seed, m_drawn++); }
    double uniform() { return uniformNumber(bits()); }
    /// Mean 0, variance 1 (Box, Muller 1958).
    double normal()
    {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    std::uint64_t m_seed;
    std::uint64_t m_drawn = 0;
};

} // namespace plimsoll::kernels
