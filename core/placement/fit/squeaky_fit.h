#pragma once

#include "core/placement/fit/ordered_fit.h"
#include "core/placement/fit/orders.h"
#include "core/placement/fit/random_keys.h"

namespace plimsoll {

/// First-fit again and again: what ended above the bound is packed a little earlier the next time. Most of that is
/// small and lives long; such an item finds room anywhere at first, and nowhere at last. Source: Joslin and Clements,
/// "Squeaky wheel optimization" (1999).
class SqueakyFit
{
public:
    SqueakyFit(const Section& section, Orders& orders, OrderedFit& fit, std::uint64_t seed);

    /// The next packing, however high; what ends above \p goal is to blame. Nothing where it would be far above the
    /// goal, or when the budget is over.
    [[nodiscard]] std::optional<Packing> attempt(std::int64_t goal, Budget& budget);

    /// Learns from the items alive around the fullest ranks alone, which costs little where they are few.
    void learnFromCore(std::int64_t goal, Budget& budget);

private:
    void begin();
    [[nodiscard]] Order order(const Context& context) const;

    const Section& m_section;
    Orders& m_orders;
    OrderedFit& m_fit;
    Randomness m_random;
    std::int64_t m_most;
    std::vector<float> m_keys; ///< Larger first: the logarithm of the size, and what was learnt.
    float m_step = 1;          ///< What an item gains when it ended too high.
    int m_episode = 0;
    int m_idle = 0; ///< Runs since the episode's best.
    std::int64_t m_best = 0;
};

} // namespace plimsoll
