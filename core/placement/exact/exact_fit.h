#pragma once

#include "core/base/progress.h"
#include "core/plan/live_ranges.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace plimsoll {

/// One thing to place in one arena. Plainer than Buffer: bytes are as they count, rounded already.
struct FitItem
{
    LiveRanges live; ///< Empty: it can be anywhere, and gets its pin or 0.
    std::int64_t bytes = 0;
    std::int64_t alignment = 1;      ///< Of the offset; at least 1.
    std::optional<std::int64_t> pin; ///< Kept whatever it does to other pins; the rest avoids it.
};

/// Answers depend on these and the items alone, never on the speed of the machine, unless stopped.
struct FitOptions
{
    std::int64_t nodes = 1'000'000; ///< Search nodes, all restarts together; what is set up costs none.
    std::uint64_t seed = 1;         ///< Of the orders that are tried after the known good ones.
};

enum class FitVerdict {
    Fits,
    Impossible, ///< Proved: no legal plan is that low.
    GaveUp,     ///< Out of nodes, or stopped.
};

/// Why a capacity cannot be met, where the load or one pin alone proves it.
struct FitConflict
{
    std::int64_t step = 0;          ///< One at which they are all alive.
    std::vector<std::size_t> items; ///< Indices, ascending.
    std::int64_t bytes = 0;         ///< What they need together.
};

struct FitAnswer
{
    FitVerdict verdict = FitVerdict::GaveUp;
    std::vector<std::int64_t> offsets;   ///< By item; empty unless it Fits.
    std::optional<FitConflict> conflict; ///< Only where Impossible, and not where it took a search to see.
    std::int64_t nodes = 0;              ///< Used.
};

/// Whether \p items fit under \p capacity, and where. Expects what checkProblem() grants: sizes and pins not negative,
/// sums within 63 bits.
[[nodiscard]] FitAnswer fitInto(std::span<const FitItem> items, std::int64_t capacity, const FitOptions& options,
                                const Context& context);

struct Minimum
{
    std::vector<std::int64_t> offsets; ///< By item; always legal.
    std::int64_t peak = 0;             ///< The highest end of an item with bytes and live steps, or of a pin.
    std::int64_t bound = 0;            ///< Proved: no legal plan is lower.
    bool optimal = false;              ///< peak == bound
    std::int64_t nodes = 0;            ///< Used.
};

struct MinimiseOptions
{
    std::int64_t nodes = 10'000'000; ///< Search nodes, all probes together.
    std::uint64_t seed = 1;
    std::span<const std::int64_t> known;          ///< Offsets of a legal plan to start from, by item; may be empty.
    std::function<void(const Minimum&)> improved; ///< Called when the peak falls or the bound rises. May be empty.
};

/// The lowest plan that is found within the nodes, which is proved lowest where the search ends before: aims at the
/// bound first, then between the bound and the best plan so far, which is never lost. Starts from first-fit plans of
/// its own where none is known. A stop returns the best so far within milliseconds.
[[nodiscard]] Minimum minimise(std::span<const FitItem> items, const MinimiseOptions& options, const Context& context);

/// No legal plan is lower: the load of the fullest step, or a higher bound where one can be proved without search.
[[nodiscard]] std::int64_t exactBound(std::span<const FitItem> items);

} // namespace plimsoll
