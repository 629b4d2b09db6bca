#pragma once

#include "core/placement/search/section.h"

#include <span>
#include <vector>

namespace plimsoll {

/// Finds the items that are alive during some ranks without looking at all of them.
class ItemsByTime
{
public:
    explicit ItemsByTime(const Section& section);

    /// Calls visit(item) for every item whose hull meets \p span, in their order.
    template <typename Visit>
    void eachMeeting(RankSpan span, Visit&& visit) const
    {
        for (std::size_t block = 0; block < m_ends.size(); ++block) {
            const std::size_t first = block * Block;
            if (m_section.hulls[first].begin >= span.end) return;
            if (m_ends[block] <= span.begin) continue;
            const std::size_t last = std::min(first + Block, m_section.count());
            for (std::size_t item = first; item < last && m_section.hulls[item].begin < span.end; ++item) {
                if (m_section.hulls[item].end > span.begin) visit(static_cast<std::uint32_t>(item));
            }
        }
    }

    [[nodiscard]] std::size_t blocks() const { return m_ends.size(); }

private:
    static constexpr std::size_t Block = 64;
    const Section& m_section;
    std::vector<std::int32_t> m_ends; ///< The last end within each block of items.
};

/// A few items of a section, free to move below a limit, with those that meet them held where they are.
struct HeldPart
{
    Section section;
    std::vector<std::uint32_t> items; ///< Of the whole section, by item of \c section.

    /// Moves the free ones to where \p offsets has them.
    void putBack(std::span<const std::int64_t> offsets, Packing& packing) const;
};

/// \p free in the order of the section, none of them pinned. What is held is cut off at \p limit, so that it counts
/// only for those that must stay below.
[[nodiscard]] HeldPart holdAround(const Section& section, const ItemsByTime& index, const Packing& packing,
                                  std::span<const std::uint32_t> free, std::int64_t limit);

} // namespace plimsoll
