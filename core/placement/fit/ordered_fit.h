#pragma once

#include "core/placement/fit/fit_tree.h"
#include "core/placement/fit/sweep.h"
#include "core/placement/search/budget.h"

#include <optional>
#include <span>

namespace plimsoll {

/// First-fit or best-fit of a section in any order, exactly, gaps, alignments and pins included. Keeps its structures,
/// for searches that run many orders. Numbers are 32 bits wide where the limit allows it: half the memory.
class OrderedFit
{
public:
    explicit OrderedFit(const Section& section) : m_section(section) {}

    /// Packs the items in \p order (pinned ones first, whatever the order says) below \p limit, in units. Nothing when
    /// that is not possible, or when the budget is over; then failedAt() is the position in the order.
    [[nodiscard]] std::optional<Packing> run(std::span<const std::uint32_t> order, std::int64_t limit, FitRule rule,
                                             Budget& budget);

    [[nodiscard]] std::size_t failedAt() const { return m_failedAt; }

    /// No order needs more than this, in units.
    [[nodiscard]] static std::int64_t mostUnits(const Section& section);

private:
    template <typename Coord>
    std::optional<Packing> runWith(std::optional<FitTree<Coord>>& tree, std::span<const std::uint32_t> order,
                                   Coord limit, FitRule rule, Budget& budget);

    const Section& m_section;
    std::optional<FitTree<std::uint32_t>> m_narrow;
    std::optional<FitTree<std::int64_t>> m_wide;
    std::size_t m_failedAt = 0;
};

} // namespace plimsoll
