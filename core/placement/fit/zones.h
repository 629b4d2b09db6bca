#pragma once

#include "core/placement/fit/random_keys.h"
#include "core/placement/search/held_part.h"

namespace plimsoll {

/// Lowers a packing of any size where, in time, it is too high: what is alive around there is freed, what those meet
/// elsewhere is held, and the freed ones are packed anew. Costs what the zone holds, however large the rest is.
///
///     address |      ____
///       limit |-----|----|-------------     held | zone, freed | held
///             |     |    |
///             +------------------------ time
class Zones
{
public:
    Zones(const Section& section, std::uint64_t seed) : m_section(section), m_index(section), m_random(seed) {}

    /// Packs every zone above \p limit anew, the highest first, until one fails. True when \p packing is not above
    /// \p limit any more; it is legal and not higher than before in any case.
    bool repair(Packing& packing, std::int64_t limit, Budget& budget);

private:
    struct Zone
    {
        RankSpan span;
        std::int64_t top = 0;
    };
    [[nodiscard]] std::vector<Zone> above(const Packing& packing, std::int64_t limit) const;
    [[nodiscard]] std::vector<std::uint32_t> chooseFree(const Zone& zone, const Packing& packing,
                                                        std::int64_t limit) const;
    [[nodiscard]] bool lower(const Zone& zone, Packing& packing, std::int64_t limit, Budget& budget);
    [[nodiscard]] bool packAnew(const HeldPart& part, std::int64_t limit, Packing& packing, Budget& budget);

    const Section& m_section;
    ItemsByTime m_index;
    Randomness m_random;
    double m_reach = 0.5; ///< What is freed on either side of a zone, over its ranks; grows while zones fail.
};

} // namespace plimsoll
