#pragma once

#include "core/placement/exact/exact_model.h"
#include "core/placement/exact/exact_search.h"

#include <string_view>

namespace plimsoll {

/// How one search goes about: which items go first among equals, and where it looks next.
struct FitStrategy
{
    std::string_view keys; ///< See rankBy().
    FitSearch::Pick pick = FitSearch::Pick::Lowest;
};

/// Those that did best on public instances, the best first. Search times have heavy tails: each finds in milliseconds
/// what others do not find in minutes.
[[nodiscard]] std::span<const FitStrategy> fitStrategies();

/// By item: its place in the order of \p keys, the larger value first; the first key decides, then the next.
/// T: fullest section of the item, W: lifetime, A: lifetime by bytes, Z: bytes, U: the later end, L: the earlier
/// begin, C: number of neighbours. A \p seed other than 0 then moves each up or
/// down by as much as 3, 15 or 50 % of the whole order.
[[nodiscard]] std::vector<std::int32_t> rankBy(const FitModel& model, std::string_view keys, std::uint64_t seed);

/// Offsets by item of the model, each as low as those before it in \p rank leave it. Empty when stopped.
[[nodiscard]] std::vector<std::int64_t> firstFit(const FitModel& model, std::span<const std::int32_t> rank,
                                                 const Context& context);

/// The highest end; not below the pins.
[[nodiscard]] std::int64_t peakOf(const FitModel& model, std::span<const std::int64_t> offsets);

} // namespace plimsoll
