#include "core/placement/fit/sweep.h"

#include "core/placement/fit/free_list.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

/// What ends so many items later is fetched already: it lies anywhere in memory.
constexpr std::size_t Ahead = 12;

/// Items by the rank at which they end, as slices of one array.
struct Ends
{
    std::vector<std::uint32_t> at;
    std::vector<std::uint32_t> items;
};

Ends itemsByEnd(const Section& section)
{
    Ends ends;
    ends.at.assign(static_cast<std::size_t>(section.ranks) + 2, 0);
    for (const RankSpan hull : section.hulls)
        ++ends.at[static_cast<std::size_t>(hull.end) + 1];
    std::partial_sum(ends.at.begin(), ends.at.end(), ends.at.begin());
    std::vector<std::uint32_t> next(ends.at.begin(), ends.at.end() - 1);
    ends.items.resize(section.count());
    for (std::uint32_t item = 0; item < section.count(); ++item)
        ends.items[next[static_cast<std::size_t>(section.hulls[item].end)]++] = item;
    return ends;
}

} // namespace

std::optional<Packing> sweep(const Section& section, FitRule rule, Budget& budget)
{
    if (!section.pins.empty()) return {};
    Packing packing {std::vector<std::int64_t>(section.count()), 0};
    const Ends ends = itemsByEnd(section);
    FreeList holes;
    const auto work = [&]() -> std::int64_t { // Best looks at every hole.
        const auto chunks = static_cast<std::int64_t>(holes.chunkCount());
        return rule == FitRule::First ? 8 + chunks / 16 : 8 + 32 * chunks;
    };
    std::size_t freed = 0;
    for (std::size_t item = 0; item < section.count(); ++item) {
        const std::uint32_t ended = ends.at[static_cast<std::size_t>(section.hulls[item].begin) + 1];
        for (; freed < ended; ++freed) {
            const std::uint32_t next = ends.items[std::min(freed + Ahead, section.count() - 1)];
            __builtin_prefetch(&packing.offsets[next]);
            __builtin_prefetch(&section.sizes[next]);
            const std::uint32_t old = ends.items[freed];
            holes.giveBack(packing.offsets[old], section.sizes[old]);
        }
        const std::int64_t units = section.sizes[item];
        const std::int64_t alignment = section.alignmentOf(item);
        const std::int64_t offset =
            rule == FitRule::First ? holes.takeLowest(units, alignment) : holes.takeTightest(units, alignment);
        packing.offsets[item] = offset;
        packing.peak = std::max(packing.peak, offset + units);
        if (budget.spend(work())) return {};
    }
    return packing;
}

std::optional<Packing> tightSweep(const Section& section, const Budget& budget)
{
    constexpr std::int64_t WorkEach = 150;
    Budget small(WorkEach * static_cast<std::int64_t>(section.count()) + 1000, {}, budget.context());
    return sweep(section, FitRule::Best, small);
}

} // namespace plimsoll
