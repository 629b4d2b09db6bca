#pragma once

#include "core/placement/exact/exact_orders.h"
#include "core/placement/exact/exact_search.h"

namespace plimsoll {

/// Searches of all strategies and of random variations of them for one model, at one capacity after another.
class FitRace
{
public:
    FitRace(const FitModel& model, std::int64_t nodes, std::uint64_t seed, const Context& context);

    /// Whether the items fit under \p capacity. Running: not decided. Each round lets the longest
    /// searches grow by two and repeats shorter ones with more noise, the shorter the more often: search times have
    /// heavy tails (after Luby, Sinclair, Zuckerman, 1993).
    SearchState probe(std::int64_t capacity, int round);
    /// Like probe(), with the first few strategies and hardly more nodes than there are items.
    SearchState glance(std::int64_t capacity);

    [[nodiscard]] bool over() const { return m_used >= m_nodes || m_context.stopped(); }
    [[nodiscard]] std::int64_t used() const { return m_used; }
    [[nodiscard]] const std::vector<std::int64_t>& found() const { return m_found; } ///< By item of the model.

private:
    SearchState attempt(std::int64_t capacity, const FitStrategy& strategy, std::uint64_t seed, std::int64_t nodes);

    const FitModel& m_model;
    std::int64_t m_nodes;
    std::int64_t m_used = 0;
    std::uint64_t m_seed;
    const Context& m_context;
    DeadStates m_dead;
    std::vector<std::int64_t> m_found;
};

/// No legal plan is lower: the fullest section, or what one item or the pins need, in whole units.
[[nodiscard]] std::int64_t loadBound(const FitModel& model);

/// Everything fits under this, one on top of the other.
[[nodiscard]] std::int64_t stackedBytes(const FitModel& model);

} // namespace plimsoll
