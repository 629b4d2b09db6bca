#pragma once

#include "core/placement/fit/ordered_fit.h"
#include "core/placement/fit/orders.h"

namespace plimsoll {

/// Random numbers that are the same everywhere. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators" (2014), the mixing step of SplitMix64.
class Randomness
{
public:
    explicit Randomness(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15ULL;
        return mixed(m_state);
    }
    /// In [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    /// In [0, count).
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

    [[nodiscard]] static std::uint64_t mixed(std::uint64_t z)
    {
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
        return z ^ z >> 31;
    }
    /// About normal, mean 0 and deviation 1, of 64 random bits.
    [[nodiscard]] static double normal(std::uint64_t bits)
    {
        double sum = 0;
        for (int part = 0; part < 4; ++part)
            sum += static_cast<double>(bits >> (16 * part) & 0xFFFF) * 0x1p-16;
        return (sum - 2.0) * 1.7320508;
    }

private:
    std::uint64_t m_state;
};

/// First-fit by keys with weights and noise drawn anew each time: log2 size, log2 life, fullest rank, and what earlier
/// tries had no room for. Learns which weights got further.
class RandomKeys
{
public:
    RandomKeys(const Section& section, Orders& orders, OrderedFit& fit, std::uint64_t seed);

    /// One try to stay at or below \p limit units.
    [[nodiscard]] std::optional<Packing> attempt(std::int64_t limit, Budget& budget);

private:
    struct Weights
    {
        double life = 0;
        double load = 0;
        double itemNoise = 0;
        double classNoise = 0;
        double squeak = 0; ///< Of m_squeaks.
    };
    [[nodiscard]] Weights draw();
    [[nodiscard]] Order orderFor(const Weights& weights, const Context& context);

    const Section& m_section;
    OrderedFit& m_fit;
    Randomness m_random;
    std::vector<float> m_logSize;
    std::vector<float> m_logLife;
    std::vector<float> m_load;    ///< Over the bound.
    std::vector<float> m_squeaks; ///< Grows for items that found no room.
    Weights m_best;
    std::size_t m_bestReach = 0; ///< How far in its order the best weights got.
    Order m_byStart;
};

} // namespace plimsoll
