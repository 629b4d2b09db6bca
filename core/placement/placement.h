#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/plan/problem.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

/// Ids of all algorithms but "best", in the order of the manual. Every one is a value of the policy "placement".
[[nodiscard]] std::span<const std::string_view> placementAlgorithms();

/// Gives every buffer an offset: a multiple of its alignment, or its pin; no two buffers that are alive at the same
/// step share a byte, pins apart, which are kept whatever they do to each other.
///
/// A buffer takes its bytes rounded up to the alignment of its arena. Capacities are not enforced here: a plan that
/// does not fit is a finding. "best" searches for as long as defaultWorkLimit() says, and is never above "no-reuse"; to
/// search longer, or to watch, see search.h. The same problem always gives the same plan.
/// Errors: an unknown algorithm (BadUsage); negative sizes, pins, ids out of range, sums beyond 63 bits; stopped.
[[nodiscard]] Result<Plan> place(const Problem& problem, std::string_view algorithm, const Context& context);

/// Whether place() would take the problem: see its errors.
[[nodiscard]] Status checkProblem(const Problem& problem);

/// The first buffer that place() would not take, and why. The arenas' alignments are at least 1.
struct BufferFault
{
    std::size_t buffer = 0;
    Message message;
};
[[nodiscard]] std::optional<BufferFault> findFault(const Problem& problem);

} // namespace plimsoll
