#pragma once

#include "core/placement/fit/random_keys.h"

namespace plimsoll {

/// Repairs a packing where it is highest: frees some buffers around one that touches the peak, holds the others where
/// they are, and packs the freed ones anew, exactly where they are few. Each repair lowers the peak at one place, or
/// moves things without raising it.
class Windows
{
public:
    Windows(const Section& section, std::uint64_t seed) : m_section(section), m_random(seed) {}

    /// One repair of \p packing. True when what touched the peak there no longer does.
    bool repair(Packing& packing, Budget& budget);

private:
    [[nodiscard]] std::vector<std::uint32_t> chooseFree(const Packing& packing);
    [[nodiscard]] std::optional<std::vector<std::int64_t>> packAnew(const Section& part, std::int64_t limit,
                                                                    Budget& budget);
    [[nodiscard]] std::optional<std::vector<std::int64_t>> packExactly(const Section& part, std::int64_t limit,
                                                                       Budget& budget);

    const Section& m_section;
    Randomness m_random;
    std::size_t m_width = 60; ///< Buffers to free; grows while repairs fail.
};

} // namespace plimsoll
