#include "core/placement/search/held_part.h"

#include <algorithm>
#include <limits>

namespace plimsoll {
ItemsByTime::ItemsByTime(const Section& section) : m_section(section), m_ends((section.count() + Block - 1) / Block, 0)
{
    for (std::size_t item = 0; item < section.count(); ++item)
        m_ends[item / Block] = std::max(m_ends[item / Block], section.hulls[item].end);
}

HeldPart holdAround(const Section& section, const ItemsByTime& index, const Packing& packing,
                    std::span<const std::uint32_t> free, std::int64_t limit)
{
    HeldPart part;
    auto nextFree = free.begin();
    std::vector<std::int64_t> pins;
    std::int32_t before = std::numeric_limits<std::int32_t>::min(); // where the span before this one ended
    std::vector<RankSpan> spans; // the ranks during which any free item is alive, gaps included
    for (const std::uint32_t item : free) {
        const RankSpan hull = section.hulls[item];
        if (spans.empty() || hull.begin > spans.back().end)
            spans.push_back(hull);
        else
            spans.back().end = std::max(spans.back().end, hull.end);
    }
    for (const RankSpan span : spans) {
        index.eachMeeting(span, [&](std::uint32_t item) {
            if (section.hulls[item].begin < before) return; // it met that one, too
            const bool isFree = nextFree != free.end() && *nextFree == item;
            if (isFree) ++nextFree;
            if (!isFree && packing.offsets[item] >= limit) return;
            part.items.push_back(item);
            pins.push_back(isFree ? -1 : packing.offsets[item]);
        });
        before = span.end;
    }
    part.section = subset(section, part.items);
    for (std::size_t i = 0; i < pins.size(); ++i) {
        if (pins[i] >= 0) part.section.sizes[i] = std::min(part.section.sizes[i], limit - pins[i]);
    }
    part.section.pins = std::move(pins);
    finishSection(part.section);
    return part;
}

void HeldPart::putBack(std::span<const std::int64_t> offsets, Packing& packing) const
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!section.pinned(i)) packing.offsets[items[i]] = offsets[i];
    }
}

} // namespace plimsoll
