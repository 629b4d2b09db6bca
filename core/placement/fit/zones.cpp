#include "core/placement/fit/zones.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

constexpr double ShortestReach = 0.25;
constexpr double LongestReach = 16;
constexpr std::int32_t LeastRanks = 16;
/// Of what is freed, over the ranks of the widened zone: longer lives meet too much elsewhere.
constexpr int LongestLife = 8;
constexpr int TriesEach = 8;

} // namespace

std::vector<Zones::Zone> Zones::above(const Packing& packing, std::int64_t limit) const
{
    std::vector<Zone> zones;
    for (std::size_t item = 0; item < m_section.count(); ++item) {
        const std::int64_t top = packing.offsets[item] + m_section.sizes[item];
        if (top <= limit) continue;
        const RankSpan hull = m_section.hulls[item];
        if (zones.empty() || hull.begin > zones.back().span.end) {
            zones.push_back({hull, top});
        } else {
            zones.back().span.end = std::max(zones.back().span.end, hull.end);
            zones.back().top = std::max(zones.back().top, top);
        }
    }
    std::stable_sort(zones.begin(), zones.end(), [](const Zone& a, const Zone& b) { return a.top > b.top; });
    return zones;
}

std::vector<std::uint32_t> Zones::chooseFree(const Zone& zone, const Packing& packing, std::int64_t limit) const
{
    const std::int32_t ranks = std::max(zone.span.end - zone.span.begin, LeastRanks);
    const auto reach = static_cast<std::int32_t>(std::min(m_reach * ranks, 0x1p29));
    const RankSpan wide {std::max(zone.span.begin - reach, 0),
                         std::min(zone.span.end, m_section.ranks - reach) + reach};
    const std::int64_t longest = std::int64_t {wide.end - wide.begin} * LongestLife;
    std::vector<std::uint32_t> free;
    m_index.eachMeeting(wide, [&](std::uint32_t item) {
        const RankSpan hull = m_section.hulls[item];
        const bool offends = packing.offsets[item] + m_section.sizes[item] > limit;
        if (m_section.pinned(item) || (!offends && hull.end - hull.begin > longest)) return;
        free.push_back(item);
    });
    return free;
}

bool Zones::packAnew(const HeldPart& part, std::int64_t limit, Packing& packing, Budget& budget)
{
    constexpr std::array BySize = {OrderKey::Size};
    Orders orders(part.section);
    OrderedFit fit(part.section);
    std::optional<Packing> found = fit.run(orders.by(BySize, budget.context()), limit, FitRule::First, budget);
    if (!found && !budget.over()) {
        RandomKeys keys(part.section, orders, fit, m_random.next());
        for (int attempt = 0; attempt < TriesEach && !found && !budget.over(); ++attempt)
            found = keys.attempt(limit, budget);
    }
    if (found) part.putBack(found->offsets, packing);
    return found.has_value();
}

bool Zones::lower(const Zone& zone, Packing& packing, std::int64_t limit, Budget& budget)
{
    const std::vector<std::uint32_t> free = chooseFree(zone, packing, limit);
    const auto offends = [&](std::uint32_t item) { return packing.offsets[item] + m_section.sizes[item] > limit; };
    if (std::none_of(free.begin(), free.end(), offends)) return true; // done with a zone before this one
    const HeldPart part = holdAround(m_section, m_index, packing, free, limit);
    budget.spend(static_cast<std::int64_t>(m_index.blocks() / 8 + part.items.size() * 8));
    const bool done = packAnew(part, limit, packing, budget);
    m_reach = std::clamp(m_reach * (done ? 0.75 : 1.5), ShortestReach, LongestReach);
    return done;
}

bool Zones::repair(Packing& packing, std::int64_t limit, Budget& budget)
{
    budget.spend(static_cast<std::int64_t>(m_section.count() / 4));
    for (const Zone& zone : above(packing, limit)) {
        if (!lower(zone, packing, limit, budget)) break;
    }
    budget.spend(static_cast<std::int64_t>(m_section.count() / 8));
    packing.peak = 0;
    for (std::size_t item = 0; item < m_section.count(); ++item)
        packing.peak = std::max(packing.peak, packing.offsets[item] + m_section.sizes[item]);
    return packing.peak <= limit;
}

} // namespace plimsoll
