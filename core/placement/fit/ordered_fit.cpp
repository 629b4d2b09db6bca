#include "core/placement/fit/ordered_fit.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Sums of two numbers below it must not overflow.
constexpr std::int64_t NarrowLimit = std::int64_t {1} << 31;

template <typename Coord>
std::optional<Coord> tightest(FitTree<Coord>& tree, Coord units, Coord alignment, Coord limit)
{
    std::optional<Coord> best;
    Coord smallest = std::numeric_limits<Coord>::max();
    std::optional<Coord> at = tree.lowest(0, units, alignment, limit);
    while (at) {
        const Coord end = tree.holeEnd(*at);
        // Above everything there is no hole; on top is the last resort.
        if (end == std::numeric_limits<Coord>::max()) return best ? best : at;
        if (const Coord slack = end - *at - units; slack < smallest) {
            best = at;
            smallest = slack;
        }
        if (smallest == 0) break;
        at = tree.lowest(end, units, alignment, limit);
    }
    return best;
}

} // namespace

std::int64_t OrderedFit::mostUnits(const Section& section)
{
    std::int64_t sum = 0;
    std::int64_t pinned = 0;
    for (std::size_t item = 0; item < section.count(); ++item) {
        if (section.pinned(item)) {
            pinned = std::max(pinned, section.pins[item] + section.sizes[item]);
        } else {
            sum += section.sizes[item] + section.alignmentOf(item) - 1;
        }
    }
    return pinned + sum;
}

template <typename Coord>
std::optional<Packing> OrderedFit::runWith(std::optional<FitTree<Coord>>& tree, std::span<const std::uint32_t> order,
                                           Coord limit, FitRule rule, Budget& budget)
{
    if (tree) {
        tree->clear();
    } else {
        tree.emplace(m_section.ranks);
    }
    Packing packing {std::vector<std::int64_t>(m_section.count()), 0};
    const auto put = [&](std::uint32_t item, Coord at) {
        const Coord end = at + static_cast<Coord>(m_section.sizes[item]);
        tree->add(m_section.piecesOf(item), at, end);
        packing.offsets[item] = static_cast<std::int64_t>(at);
        packing.peak = std::max(packing.peak, static_cast<std::int64_t>(end));
    };
    for (std::uint32_t item = 0; !m_section.pins.empty() && item < m_section.count(); ++item) {
        if (m_section.pinned(item)) put(item, static_cast<Coord>(m_section.pins[item]));
    }
    std::int64_t spent = tree->work();
    for (m_failedAt = 0; m_failedAt < order.size(); ++m_failedAt) {
        const std::uint32_t item = order[m_failedAt];
        if (m_section.pinned(item)) continue;
        const auto units = static_cast<Coord>(m_section.sizes[item]);
        const auto alignment = static_cast<Coord>(m_section.alignmentOf(item));
        tree->ask(m_section.piecesOf(item));
        const auto at = rule == FitRule::First ? tree->lowest(0, units, alignment, limit)
                                               : tightest(*tree, units, alignment, limit);
        const std::int64_t work = tree->work();
        const bool over = budget.spend(work - spent + 4);
        spent = work;
        if (!at || over) return {};
        put(item, *at);
    }
    return packing;
}

std::optional<Packing> OrderedFit::run(std::span<const std::uint32_t> order, std::int64_t limit, FitRule rule,
                                       Budget& budget)
{
    m_failedAt = 0;
    if (m_section.bound > limit) return {};
    const std::int64_t coarsest =
        m_section.alignment.empty() ? 1 : *std::max_element(m_section.alignment.begin(), m_section.alignment.end());
    if (limit < NarrowLimit && coarsest < NarrowLimit)
        return runWith<std::uint32_t>(m_narrow, order, static_cast<std::uint32_t>(limit), rule, budget);
    return runWith<std::int64_t>(m_wide, order, limit, rule, budget);
}

} // namespace plimsoll
