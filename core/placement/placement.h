#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/plan/problem.h"

#include <span>
#include <string_view>

namespace plimsoll {

/// One way to choose offsets. Arenas never influence each other.
struct PlacementAlgorithm
{
    std::string_view id; ///< A value of the policy "placement".
    /// Gets a problem that place() has checked. Errors: stopped.
    Result<Plan> (*run)(const Problem&, const Context&) = nullptr;
};

/// Every algorithm but "best", in the order "best" tries them.
[[nodiscard]] std::span<const PlacementAlgorithm> placementAlgorithms();

/// Gives every buffer an offset: a multiple of its alignment, or its pin; no two buffers that are alive at the same
/// step share a byte, pins apart, which are kept whatever they do to each other.
///
/// A buffer takes its bytes rounded up to the alignment of its arena. Capacities are not enforced here: a plan that
/// does not fit is a finding. "best" tries all algorithms and keeps the lowest sum of arenas (the first among equals),
/// and is never above "no-reuse". The same problem always gives the same plan.
/// Errors: an unknown algorithm (BadUsage); negative sizes, pins, ids out of range, sums beyond 63 bits; stopped.
[[nodiscard]] Result<Plan> place(const Problem& problem, std::string_view algorithm, const Context& context);

/// Whether place() would take the problem: see its errors.
[[nodiscard]] Status checkProblem(const Problem& problem);

/// What a buffer takes in its arena.
[[nodiscard]] std::int64_t roundedBytes(const Problem& problem, const Buffer& buffer);

/// By step of [0, steps): bytes of all buffers of \p arena that are alive, rounded.
[[nodiscard]] std::vector<std::int64_t> liveBytes(const Problem& problem, ArenaId arena, std::int64_t steps);

/// By ArenaId: the most bytes alive at any step, rounded. No plan is lower.
[[nodiscard]] std::vector<std::int64_t> lowerBounds(const Problem& problem);

/// By ArenaId: the sum of all buffers, rounded.
[[nodiscard]] std::vector<std::int64_t> noReuseBytes(const Problem& problem);

} // namespace plimsoll
