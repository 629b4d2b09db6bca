#pragma once

#include <cstdint>

namespace plimsoll::kernels {

/// Numbers that look random and are the same for the same seed on every machine: a counter through a mixing function
/// (Steele, Lea, Flood 2014, "SplitMix").
class RandomNumbers
{
public:
    explicit RandomNumbers(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t bits();
    double uniform(); ///< In [0, 1).
    double normal();  ///< Mean 0, variance 1 (Box, Muller 1958).

private:
    std::uint64_t m_state;
};

} // namespace plimsoll::kernels
